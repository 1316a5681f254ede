import { describe, expect, test } from "vitest";
import { ClusterModel } from "../../src/trace/cluster_model";
import { PodState } from "../../src/trace/pod_columns";
import { RunStore } from "../../src/trace/run_store";
import { podsIn, recorded, storeOf } from "../fixtures";

/** All that is known of the pods at the playhead. */
function picture(store: RunStore): unknown {
  const { pods, seq, tUs } = store.state;
  const rows = store.words.pods.all.map((name, id) => [
    name,
    pods.state[id],
    pods.nodeOf(id),
    pods.nominatedOf(id),
    pods.attempts[id],
    pods.priority[id],
    pods.victim[id],
    pods.failed[id],
    pods.backoffUntil[id],
  ]);
  return { seq, tUs, rows, counts: [...pods.counts] };
}

describe("the state at the playhead", () => {
  test("after all events the pods are where the run left them", () => {
    const { store } = storeOf(recorded("four-reasons"));
    expect(podsIn(store, PodState.GATED)).toEqual(["default/batch-4"]);
    expect(podsIn(store, PodState.UNSCHEDULABLE)).toEqual(["default/database-0", "default/simulation", "monitoring/second-exporter"]);
    expect(store.state.pods.counts[PodState.BOUND]).toBe(7);
  });

  test("a victim leaves and the pod that evicted it takes its node", () => {
    const { store } = storeOf(recorded("evicted"));
    const payment = store.words.pods.find("default/payment-0");
    expect(podsIn(store, PodState.GONE)).toEqual(["default/batch-2-2"]);
    expect(store.words.nodes.name(store.state.pods.nodeOf(payment))).toBe("node-2");
    expect(store.state.pods.nominatedOf(payment)).toBe(-1);
    store.seek(9);
    expect(podsIn(store, PodState.BACKOFF)).toEqual(["default/payment-0"]);
    expect(store.words.nodes.name(store.state.pods.nominatedOf(payment))).toBe("node-2");
  });

  test.each([1, 3, 2048])("with a snapshot every %d events, any seek shows the same as playing up to there", (interval) => {
    const recording = recorded("eighth-replica");
    const { store } = storeOf(recording, interval);
    const order = [48, 3, 47, 20, 21, 19, 0, 48, 1];
    for (const seq of order) {
      store.seek(seq);
      const fresh = storeOf({ ...recording, events: recording.events.slice(0, seq) }).store;
      for (const name of store.words.nodes.all) fresh.words.nodes.id(name);
      expect(picture(store)).toEqual(picture(fresh));
    }
  });

  test("snapshots that would take too much are thinned, and any seek still shows the same", () => {
    const recording = recorded("eighth-replica");
    const thin = new RunStore(1, 2000);
    new ClusterModel(recording.nodes, recording.pods, thin);
    thin.append(recording.events);
    expect((thin as unknown as { snapshots: unknown[] }).snapshots.length).toBeLessThanOrEqual(8);
    const { store } = storeOf(recording, 2048);
    for (const seq of [48, 3, 47, 20, 0, 31, 1]) {
      thin.seek(seq);
      store.seek(seq);
      expect(picture(thin)).toEqual(picture(store));
    }
  });

  test("what the cluster held may be known later than the first events", () => {
    const recording = recorded("evicted");
    const late = new RunStore(4);
    late.append(recording.events.slice(0, 10));
    late.seek(8);
    new ClusterModel(recording.nodes, recording.pods, late);
    late.append(recording.events.slice(10));
    expect(late.state.seq).toBe(8);
    expect(late.state.pods.counts[PodState.BOUND]).toBe(8);
    late.follow();
    expect(late.state.pods.counts[PodState.BOUND]).toBe(9);
  });

  test("events that were seen, or that come too early, change nothing", () => {
    const recording = recorded("evicted");
    const { store } = storeOf(recording);
    const before = picture(store);
    store.append(recording.events.slice(0, 5));
    store.append([{ ...recording.events[0]!, seq: 99 }]);
    expect(picture(store)).toEqual(before);
    expect(store.lastSeq).toBe(recording.events.length);
  });
});

describe("the playhead", () => {
  test("goes along with what comes in, until it is moved", () => {
    const recording = recorded("eighth-replica");
    const store = new RunStore();
    store.append(recording.events.slice(0, 20));
    expect(store.state.seq).toBe(20);
    store.seek(10);
    store.append(recording.events.slice(20));
    expect(store.state.seq).toBe(10);
    expect(store.newest.seq).toBe(48);
    store.follow();
    expect(store.state.seq).toBe(48);
  });

  test("stands at the end of a cycle when it goes to one", () => {
    const { store } = storeOf(recorded("eighth-replica"));
    store.seekCycle(3);
    expect(store.cycle).toBe(3);
    expect(store.event(store.state.seq + 1)).toMatchObject({ type: "CycleStarted", cycle: 4 });
    store.seekCycle(0);
    expect(store.cycle).toBe(0);
    store.seekCycle(99);
    expect(store.cycle).toBe(8);
  });

  test("goes to a moment: the last event at or before it", () => {
    const { store } = storeOf(recorded("evicted"));
    const times = store.log.map((event) => event.t_us);
    const between = times.findIndex((t, i) => i > 0 && t > times[i - 1]!);
    store.seekTime(times[between]! - 1);
    expect(store.state.seq).toBe(between);
    store.seekTime(-1);
    expect(store.state.seq).toBe(0);
    store.seekTime(1e15);
    expect(store.state.seq).toBe(store.lastSeq);
  });

  test("finds the next cycle that is looked for", () => {
    const { store } = storeOf(recorded("eighth-replica"));
    store.seekCycle(1);
    expect(store.nextCycle((cycle) => store.cycles.row(cycle)?.result === 2)).toBe(8);
    store.seekCycle(8);
    expect(store.nextCycle(() => true)).toBe(0);
  });
});
