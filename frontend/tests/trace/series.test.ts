import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { LogFilter, kindOf } from "../../src/trace/log_filter";
import { entryOf, lastMoves, waitsFor } from "../../src/trace/moves";
import { RunStore } from "../../src/trace/run_store";
import { RunSeries, pendingByPlugin, utilisation } from "../../src/trace/series";
import { recorded, storeOf } from "../fixtures";

describe("how a run went", () => {
  test("queue depths at the begin of each cycle are those of the state there", () => {
    const { store } = storeOf(recorded("eighth-replica"));
    const series = new RunSeries(store);
    const depth = series.depth("active");
    expect(depth).toHaveLength(8);
    for (const row of store.cycles.rows) {
      store.seek(row.firstSeq);
      expect([row.cycle, depth[row.cycle - 1]]).toEqual([row.cycle, store.state.pods.counts[1]]);
    }
  });

  test("what is used is what stands on the nodes, as a share of what there is", () => {
    const { store, model } = storeOf(recorded("evicted"));
    const shares = utilisation(store, model, "cpu");
    const total = model.allocatableColumn("cpu").reduce((sum, one) => sum + one, 0);
    for (const row of store.cycles.rows) {
      store.seek(row.firstSeq);
      const used = model.used("cpu", store.state).reduce((sum, one) => sum + one, 0);
      expect(shares[row.cycle - 1]).toBeCloseTo(used / total, 9);
    }
  });

  test("what has run to its end takes nothing any more", () => {
    const recording = recorded("evicted");
    const placed = recording.events.find((event) => event.type === "PodBound")!;
    const { store, model } = storeOf(recording);
    const full = utilisation(store, model, "cpu").at(-1)!;
    const [seq, t_us] = [store.lastSeq, placed.t_us];
    store.append([
      { seq: seq + 1, t_us, type: "PodFinished", pod: placed.pod, node: placed.node, phase: "Succeeded" },
      { seq: seq + 2, t_us, type: "CycleStarted", cycle: store.cycles.size + 1, pod: placed.pod, attempt: 1 },
    ] as TraceEvent[]);
    const after = utilisation(store, model, "cpu");
    const cpu = model.requestColumn("cpu")[store.words.pods.find(placed.pod)]!;
    const total = model.allocatableColumn("cpu").reduce((sum, one) => sum + one, 0);
    expect(cpu).toBeGreaterThan(0);
    expect(after.at(-1)).toBeLessThan(full + cpu / total);
  });

  test("refusals add up as far as one looks", () => {
    const { store } = storeOf(recorded("evicted"));
    const series = new RunSeries(store);
    expect(series.refusedUpTo(0)).toEqual([]);
    expect(series.refusedUpTo(2)).toEqual([{ plugin: "NodeResourcesFit", nodes: 3, cycles: 1 }]);
    expect(series.plugins).toEqual(["NodeResourcesFit"]);
  });

  test("who waits is counted by the plugin that holds it", () => {
    const { store } = storeOf(recorded("four-reasons"));
    const counts = Object.fromEntries(pendingByPlugin(store).map((row) => [row.plugin, row.pods]));
    expect(counts["SchedulingGates"]).toBe(1);
    expect(counts["NodeResourcesFit"]).toBeGreaterThanOrEqual(1);
  });

  test("events that come later are read on from where it stopped", () => {
    const recording = recorded("eighth-replica");
    const store = new RunStore();
    const series = new RunSeries(store);
    store.append(recording.events.slice(0, 20));
    const early = series.depth("active").length;
    store.append(recording.events.slice(20));
    expect(series.depth("active").length).toBeGreaterThan(early);
    expect([...series.depth("active")]).toEqual([...new RunSeries(storeOf(recording).store).depth("active")]);
  });
});

describe("moves between queues", () => {
  test("are told with where the pod came from and what moved it", () => {
    const { store } = storeOf(recorded("evicted"));
    const back = store.log.find((event) => event.type === "PodEnqueued" && event.queue === "backoff")!;
    store.seek(back.seq);
    const [newest] = lastMoves(store, 3);
    expect(newest).toMatchObject({ from: "in flight", event: { pod: "default/payment-0", queue: "backoff" } });
    expect(entryOf(store, newest!.pod)?.seq).toBe(back.seq);
  });

  test("what may help is what the plugins that refused it registered for", () => {
    const store = new RunStore();
    const waits = { NodeResourcesFit: ["Node/Add", "AssignedPod/Delete"], TaintToleration: ["Node/Add"] };
    store.append([{ seq: 1, t_us: 0, type: "RunStarted", num_nodes: 1, num_bound: 0, num_pending: 1, engine_version: "1", waits_for: waits }]);
    expect(waitsFor(store, ["NodeResourcesFit", "TaintToleration"])).toEqual(["Node/Add", "AssignedPod/Delete"]);
    expect(waitsFor(store, ["Unknown"])).toEqual([]);
  });
});

describe("the log's filter", () => {
  const { store } = storeOf(recorded("evicted"));
  const shown = (kind: Parameters<typeof kindOf>[0] | string, text: string) => {
    const filter = new LogFilter({ kind: kind as never, text });
    filter.update(store);
    return filter;
  };

  test("shows everything, a kind, or what has all the words in it", () => {
    expect(shown("all", "").shown).toHaveLength(store.lastSeq);
    expect(shown("preemption", "").shown.map((seq) => store.event(seq)!.type)).toEqual(expect.arrayContaining(["VictimsSelected", "PodNominated", "PodDeleted"]));
    const filter = shown("all", "payment BOUND");
    expect(filter.shown.map((seq) => store.event(seq)!.type)).toEqual(["PodBound"]);
    expect(shown("binding", "nobody").shown).toEqual([]);
  });

  test("knows the last one shown at or before the playhead", () => {
    const filter = shown("binding", "");
    const [first] = filter.shown;
    expect(filter.placeOf(first! - 1)).toBe(-1);
    expect(filter.placeOf(first!)).toBe(0);
    expect(filter.placeOf(store.lastSeq)).toBe(filter.shown.length - 1);
  });
});
