import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { BreakSearch, breakText, readBreak } from "../../src/trace/breakpoints";
import type { Breakpoint } from "../../src/trace/breakpoints";
import { RunStore } from "../../src/trace/run_store";
import { recorded, storeOf } from "../fixtures";

function search(store: RunStore, kind: Breakpoint["kind"], what = ""): BreakSearch {
  const found = new BreakSearch({ kind, what });
  found.update(store);
  return found;
}

const types = (store: RunStore, found: BreakSearch) => found.found.map((seq) => store.event(seq)!.type);

describe("a breakpoint", () => {
  const { store } = storeOf(recorded("evicted"));

  test("finds where a plugin refuses nodes, and where any does", () => {
    const fit = search(store, "rejects", "NodeResourcesFit");
    expect(types(store, fit)).toEqual(["NodesFiltered"]);
    expect(search(store, "rejects").found).toEqual(fit.found);
    expect(search(store, "rejects", "NodeName").found).toEqual([]);
  });

  test("finds a preemption", () => {
    expect(types(store, search(store, "preemption"))).toEqual(["VictimsSelected"]);
  });

  test("finds where a pod leaves backoff, once each time", () => {
    const leaves = search(store, "backoff", "default/payment-0");
    expect(leaves.found).toHaveLength(1);
    store.seek(leaves.found[0]! - 1);
    expect(store.event(leaves.found[0]!)).toMatchObject({ pod: "default/payment-0" });
    expect(search(store, "backoff", "default/nobody").found).toEqual([]);
  });

  test("finds any type of event, and all events", () => {
    expect(types(store, search(store, "event", "PodBound"))).toEqual(["PodBound"]);
    expect(search(store, "event").found).toHaveLength(store.lastSeq);
  });

  test("finds ties and narrow margins by the totals", () => {
    const scored = (seq: number, cycle: number, totals: number[], num_ties: number): TraceEvent => ({
      seq, t_us: 0, type: "NodesScored", cycle, pod: "n/p", scores: totals.map((total, i) => [`node-${i}`, total]), num_ties,
    });
    const made = new RunStore();
    made.append([scored(1, 1, [300, 300], 2), scored(2, 2, [300, 296], 1), scored(3, 3, [300], 1), scored(4, 4, [300, 200], 1)]);
    expect(search(made, "tie").found).toEqual([1]);
    expect(search(made, "margin", "5").found).toEqual([1, 2]);
    expect(search(made, "margin", "101").found).toEqual([1, 2, 4]);
  });

  test("says the next and the last place, and looks on where events come", () => {
    const made = new RunStore();
    const binding = (seq: number): TraceEvent => ({ seq, t_us: 0, type: seq % 2 ? "PodBound" : "PodAssumed", cycle: 1, pod: "n/p", node: "a" });
    made.append([1, 2, 3].map(binding));
    const found = search(made, "event", "PodBound");
    made.append([4, 5].map(binding));
    found.update(made);
    expect(found.found).toEqual([1, 3, 5]);
    expect([found.after(3), found.before(3), found.after(5), found.before(1), found.after(0)]).toEqual([5, 1, 0, 0, 1]);
  });

  test("is written into the address and read from it", () => {
    expect(readBreak(breakText({ kind: "rejects", what: "NodeResourcesFit" }))).toEqual({ kind: "rejects", what: "NodeResourcesFit" });
    expect(readBreak("tie")).toEqual({ kind: "tie", what: "" });
    expect(readBreak("backoff:team-a/api-7")).toEqual({ kind: "backoff", what: "team-a/api-7" });
    expect(readBreak("nonsense:1")).toBeNull();
    expect(readBreak(null)).toBeNull();
  });
});
