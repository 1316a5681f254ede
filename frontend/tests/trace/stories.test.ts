import { describe, expect, test } from "vitest";
import { nodeEvents } from "../../src/trace/node_events";
import { podSpans, spanAt } from "../../src/trace/pod_story";
import { recorded, storeOf } from "../fixtures";

describe("a pod's story", () => {
  test("is spans from its arrival to where it ends", () => {
    const { store } = storeOf(recorded("evicted"));
    const spans = podSpans(store, "default/payment-0");
    expect(spans.map((span) => span.kind)).toEqual(["active", "cycle", "backoff", "cycle", "assumed", "bound"]);
    expect(spans.map((span) => span.failed)).toEqual([false, true, false, false, false, false]);
    expect(spans[2]).toMatchObject({ entered: { event: "ScheduleAttemptFailure" }, fromUs: 1000, toUs: 2000 });
    expect(spans[5]).toMatchObject({ node: "node-2", toUs: null });
  });

  test("a gated pod waits from the start to the end", () => {
    const { store } = storeOf(recorded("four-reasons"));
    const [span, ...rest] = podSpans(store, "default/batch-4");
    expect([span!.kind, span!.toUs, rest.length]).toEqual(["gated", null, 0]);
  });

  test("the span at a moment is the last one begun", () => {
    const { store } = storeOf(recorded("evicted"));
    const spans = podSpans(store, "default/payment-0");
    expect(spanAt(spans, spans[2]!.seq)?.kind).toBe("backoff");
    expect(spanAt(spans, spans[0]!.seq - 1)).toBeNull();
  });
});

describe("a node's story", () => {
  test("says who was evicted, who was promised the place and who came", () => {
    const { store } = storeOf(recorded("evicted"));
    expect(nodeEvents(store, "node-2").map((event) => [event.kind, event.pod])).toEqual([
      ["evicted", "default/batch-2-2"],
      ["promised", "default/payment-0"],
      ["came", "default/payment-0"],
    ]);
  });
});
