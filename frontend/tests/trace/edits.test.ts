import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { ClusterModel } from "../../src/trace/cluster_model";
import { RunStore } from "../../src/trace/run_store";
import { emptyLoad, takeLoad } from "../../src/trace/load";

const EVENTS: TraceEvent[] = [
  { seq: 1, t_us: 0, type: "RunStarted", num_nodes: 1, num_bound: 0, num_pending: 0, engine_version: "1" },
  { seq: 2, t_us: 5, type: "NodeAdded", node: "new", allocatable: { cpu: 8000 }, labels: { zone: "b" }, taints: ["spot=true:NoSchedule"] },
  { seq: 3, t_us: 6, type: "PodCreated", pod: "a/made", by: "ReplicaSet", requests: { cpu: 500 }, owner: "ReplicaSet/web" },
  { seq: 4, t_us: 7, type: "PodBound", cycle: 1, pod: "a/made", node: "new" },
  { seq: 5, t_us: 8, type: "NodeUpdated", node: "old", allocatable: { cpu: 2000 }, labels: { zone: "a" }, unschedulable: true },
  { seq: 6, t_us: 9, type: "PodFinished", pod: "a/made", node: "new", phase: "Succeeded" },
  { seq: 7, t_us: 9, type: "NodeDeleted", node: "new" },
];
const OLD = { name: "old", labels: { zone: "a" }, taints: [], unschedulable: false, allocatable: { cpu: 4000 } };

function at(seq: number, eventsFirst: boolean): { names: string[]; cpu: number[]; used: number; cordoned: boolean | undefined } {
  const store = new RunStore(2);
  if (eventsFirst) store.append(EVENTS);
  const model = new ClusterModel([OLD], [], store);
  if (!eventsFirst) {
    store.append(EVENTS);
    model.learn(EVENTS, store);
  }
  store.seek(seq);
  model.moveTo(seq);
  const load = emptyLoad(model.numNodes);
  takeLoad(load, store.state, model.requestColumn("cpu"));
  const there = model.groups("zone").flatMap((group) => group.nodes).filter((node) => !store.state.goneNodes.has(node));
  const column = model.allocatableColumn("cpu");
  return {
    names: there.map((node) => store.words.nodes.name(node)),
    cpu: there.map((node) => column[node]!),
    used: load.used.reduce((sum, one) => sum + one, 0),
    cordoned: model.nodes[store.words.nodes.find("old")]?.unschedulable,
  };
}

describe.each([true, false])("nodes and pods that edits bring (events known before the cluster: %s)", (eventsFirst) => {
  test("are not there before they come", () => {
    expect(at(1, eventsFirst)).toEqual({ names: ["old"], cpu: [4000], used: 0, cordoned: false });
  });

  test("stand on the map with what they have, and pods that were made take their share", () => {
    expect(at(4, eventsFirst)).toEqual({ names: ["old", "new"], cpu: [4000, 8000], used: 500, cordoned: false });
  });

  test("change with edits, and go", () => {
    expect(at(5, eventsFirst)).toMatchObject({ names: ["old", "new"], cpu: [2000, 8000], cordoned: true });
    expect(at(6, eventsFirst).used).toBe(0);
    expect(at(7, eventsFirst).names).toEqual(["old"]);
  });
});
