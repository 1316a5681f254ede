import { expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { describe as words } from "../../src/trace/event_words";
import { podSpans } from "../../src/trace/pod_story";
import { PodState } from "../../src/trace/pod_columns";
import { RunStore } from "../../src/trace/run_store";

const SKIPPED: TraceEvent = { seq: 3, t_us: 7, type: "PodDequeued", pod: "a/going", reason: "deleting" };
const EVENTS: TraceEvent[] = [
  { seq: 1, t_us: 0, type: "RunStarted", num_nodes: 1, num_bound: 0, num_pending: 1, engine_version: "1" },
  { seq: 2, t_us: 5, type: "PodEnqueued", pod: "a/going", queue: "active", event: "PodAdd" },
  SKIPPED,
  { seq: 4, t_us: 9, type: "PodDeleted", pod: "a/going" },
];

test("a pending pod that is skipped because it is being deleted is in no queue, but not gone before it is deleted", () => {
  const store = new RunStore(2);
  store.append(EVENTS);
  const states = [2, 3, 4].map((seq) => {
    store.seek(seq);
    return store.state.pods.state[store.words.pods.find("a/going")];
  });
  expect(states).toEqual([PodState.ACTIVE, PodState.DELETING, PodState.GONE]);
  expect(podSpans(store, "a/going").map((span) => [span.kind, span.fromUs, span.toUs])).toEqual([
    ["active", 5, 7],
    ["deleting", 7, 9],
    ["gone", 9, null],
  ]);
  expect(words(SKIPPED)).toBe("a/going skipped: it is being deleted");
});
