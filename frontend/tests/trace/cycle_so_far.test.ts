import { describe, expect, test } from "vitest";
import type { CycleDetail } from "../../src/api/detail";
import { CycleResult } from "../../src/trace/cycle_index";
import { detailSoFar, rowSoFar, soFar, stopsAfter } from "../../src/trace/cycle_so_far";
import type { RunStore } from "../../src/trace/run_store";
import { recorded, storeOf } from "../fixtures";

const RUNS = ["eighth-replica", "four-reasons", "evicted"] as const;

interface Seen {
  seq: number;
  stop: number;
  detail: CycleDetail;
}

/** Every stop of a cycle, first to last. */
function walk(store: RunStore, whole: CycleDetail): Seen[] {
  const row = store.cycles.row(whole.cycle)!;
  const seen: Seen[] = [];
  for (let seq = row.firstSeq; seq <= row.lastSeq; seq += 1) {
    store.seek(seq);
    for (let stop = 0; stop <= stopsAfter(store, whole, seq).length; stop += 1) {
      store.stop = stop;
      seen.push({ seq, stop, detail: detailSoFar(whole, soFar(store, whole)) });
    }
  }
  return seen;
}

const refusals = (detail: CycleDetail) => detail.nodes.flatMap((name, row) => (detail.outcome[row]! >= 0 ? [`${name}: ${detail.statuses[detail.outcome[row]!]!.reasons.join()}`] : []));

describe.each(RUNS)("the cycles of %s, stop by stop,", (name) => {
  const recording = recorded(name);
  const { store } = storeOf(recording);
  const details = Object.values(recording.details);

  test("say nothing of the outcome before its event, and all of it at the end", () => {
    for (const whole of details) {
      const seen = walk(store, whole);
      const at = (types: readonly string[]) => recording.events.find((event) => types.includes(event.type) && "cycle" in event && event.cycle === whole.cycle)?.seq ?? Infinity;
      const over = at(["PodUnschedulable", "PodAssumed"]);
      for (const { seq, detail } of seen) {
        if (seq < over) expect([detail.node, detail.decision, detail.tie_break]).toEqual([null, "", ""]);
        if (seq < over) expect([detail.result, detail.message, detail.message_parts, detail.remedies]).toEqual(["running", "", [], []]);
        if (seq >= over) expect(detail).toBe(whole);
        const known = detail.points.filter((point) => point.did);
        if (seq < over) expect(known.map((point) => point.name)).not.toContain("Reserve");
      }
      expect(seen.at(-1)!.detail).toBe(whole);
    }
  });

  test("only ever add refusals, each one of those at the end", () => {
    for (const whole of details) {
      let before: string[] = [];
      const last = refusals(whole);
      for (const { detail } of walk(store, whole)) {
        const now = refusals(detail);
        expect(now).toEqual(expect.arrayContaining(before));
        expect(last).toEqual(expect.arrayContaining(now));
        before = now;
      }
      expect(before).toEqual(last);
    }
  });

  test("stop at every plugin that was asked by Filter and Score", () => {
    for (const whole of details) {
      const row = store.cycles.row(whole.cycle)!;
      const stops = [];
      for (let seq = row.firstSeq; seq < row.lastSeq; seq += 1) stops.push(...stopsAfter(store, whole, seq));
      const asked = whole.points
        .filter((point) => ["PreFilter", "Filter", "PostFilter", "PreScore", "Score"].includes(point.name))
        .flatMap((point) => (point.calls ?? []).filter((call) => call.did !== "skipped").map((call) => ({ point: point.name, plugin: call.plugin })));
      expect(stops).toEqual(asked);
    }
  });
});

test("a score is the sum of the plugins asked so far, and ties are told once all were", () => {
  const recording = recorded("eighth-replica");
  const { store } = storeOf(recording);
  const whole = recording.details["1"]!;
  const scored = recording.events.find((event) => event.type === "NodesScored" && event.cycle === 1)!.seq;
  const sums = walk(store, whole).filter(({ seq, detail }) => seq === scored - 1 && detail.scored.length);
  const plugins = Object.keys(whole.weighted);
  expect(sums.length).toBeGreaterThan(1);
  for (const { detail } of sums) {
    const names = Object.keys(detail.weighted);
    expect(names.length).toBeLessThanOrEqual(plugins.length);
    expect(detail.total).toEqual(whole.scored.map((_, at) => names.reduce((sum, plugin) => sum + whole.weighted[plugin]![at]!, 0)));
    expect(detail.ties).toEqual([]);
  }
  expect(sums.at(-1)!.detail.total).toEqual(whole.total);
  store.seek(scored);
  const ranked = detailSoFar(whole, soFar(store, whole));
  expect(ranked.ties).toEqual(whole.ties);
  expect(ranked.node).toBeNull();
});

test("the row of a cycle tells its end only from that event on, also of a cycle still to come", () => {
  const { store } = storeOf(recorded("evicted"));
  store.seek(4);
  expect(rowSoFar(store, 1)).toMatchObject({ result: CycleResult.RUNNING, numFeasible: 0, numNodes: 3, numVictims: 0, message: "" });
  expect(rowSoFar(store, 2)).toMatchObject({ result: CycleResult.RUNNING, node: -1, numNodes: 0 });
  store.seek(6);
  expect(rowSoFar(store, 1)).toMatchObject({ result: CycleResult.RUNNING, numVictims: 1 });
  store.seek(7);
  expect(rowSoFar(store, 1)).toMatchObject({ result: CycleResult.UNSCHEDULABLE, nominated: -1 });
  store.seek(13);
  expect(rowSoFar(store, 1)).toBe(store.cycles.row(1));
});
