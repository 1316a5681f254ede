import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { ClusterModel } from "../../src/trace/cluster_model";
import { CycleResult } from "../../src/trace/cycle_index";
import { lanesOf } from "../../src/trace/lanes";
import { RunStore } from "../../src/trace/run_store";
import { recorded, storeOf } from "../fixtures";

describe("cycles", () => {
  test("a row says who, where, and how many nodes fitted", () => {
    const { store } = storeOf(recorded("eighth-replica"));
    const first = store.cycles.row(1)!;
    expect(store.words.pods.name(first.pod)).toBe("edge/edge-proxy-0");
    expect(store.words.nodes.name(first.node)).toBe("worker-7");
    expect(first).toMatchObject({ result: CycleResult.SCHEDULED, numNodes: 9, numFeasible: 7 });
    const last = store.cycles.row(8)!;
    expect(last).toMatchObject({ result: CycleResult.UNSCHEDULABLE, numFeasible: 0, node: -1 });
    expect(last.message).toMatch(/^0\/9 nodes are available/);
  });

  test("a pod's cycles are found, and the last one before a moment", () => {
    const { store } = storeOf(recorded("evicted"));
    const pod = store.words.pods.find("default/payment-0");
    expect(store.cycles.ofPod(pod)).toEqual([1, 2]);
    expect(store.cycles.lastOf(pod, 9)).toBe(1);
    expect(store.cycles.lastOf(pod, 2)).toBe(0);
    expect(store.cycles.row(1)).toMatchObject({ numVictims: 1 });
  });
});

describe("queues", () => {
  const enqueued = (seq: number, pod: string, queue: "active" | "backoff", priority: number, until = 0): TraceEvent => ({
    seq,
    t_us: 0,
    type: "PodEnqueued",
    pod,
    queue,
    event: "PodAdd",
    priority,
    backoff_until_us: until,
  });

  test("the active queue is ordered by priority, then by arrival; backoff by its end", () => {
    const store = new RunStore();
    store.append([
      enqueued(1, "n/low", "active", 0),
      enqueued(2, "n/first", "active", 10),
      enqueued(3, "n/second", "active", 10),
      enqueued(4, "n/late", "backoff", 0, 9_000_000),
      enqueued(5, "n/soon", "backoff", 0, 1_000_000),
    ]);
    const names = (lane: string) => lanesOf(store.state, 10).find((one) => one.name === lane)!.pods.map((pod) => store.words.pods.name(pod));
    expect(names("active")).toEqual(["n/first", "n/second", "n/low"]);
    expect(names("backoff")).toEqual(["n/soon", "n/late"]);
  });

  test("only as many pods as asked for are named, the first ones, and all are counted", () => {
    const store = new RunStore();
    store.append(Array.from({ length: 500 }, (_, i) => enqueued(i + 1, `n/pod-${i}`, "active", i % 7)));
    const lane = lanesOf(store.state, 3).find((one) => one.name === "active")!;
    expect(lane.count).toBe(500);
    expect(lane.pods.map((pod) => store.words.pods.name(pod))).toEqual(["n/pod-6", "n/pod-13", "n/pod-20"]);
  });
});

describe("the cluster", () => {
  test("what is used of a node is what its pods ask for", () => {
    const { store, model } = storeOf(recorded("evicted"));
    const node = store.words.nodes.find("node-2");
    expect(model.used("cpu", store.state)[node]).toBe(3500);
    expect(model.used("pods", store.state)[node]).toBe(4);
    store.seek(1);
    expect(model.used("cpu", store.state)[node]).toBe(3700);
  });

  test("nodes stand by zone, in the order people count in", () => {
    const { model, store } = storeOf(recorded("eighth-replica"));
    const groups = model.groups("topology.kubernetes.io/zone").map((group) => [group.name, group.nodes.map((id) => store.words.nodes.name(id))]);
    expect(groups).toEqual([
      ["eu-west-a", ["control-1", "worker-1", "worker-4", "worker-7"]],
      ["eu-west-b", ["worker-2", "worker-5", "worker-8"]],
      ["eu-west-c", ["worker-3", "worker-6"]],
    ]);
    expect(model.groups("none")).toHaveLength(1);
  });

  test("pods are found by node", () => {
    const { store, model } = storeOf(recorded("evicted"));
    const occupancy = model.occupancy(store.state);
    const names = (node: string) => [...occupancy.on(store.words.nodes.find(node))].map((pod) => store.words.pods.name(pod));
    expect(names("node-2")).toEqual(["kube-system/node-agent-01", "default/batch-2-0", "default/batch-2-1", "default/payment-0"]);
    expect([0, 1, 2].reduce((sum, node) => sum + occupancy.on(node).length, 0)).toBe(9);
  });

  test("pods stand alike on a node, whether the cluster's list or the events came first", () => {
    const { nodes, pods, events } = recorded("evicted");
    const store = new RunStore();
    store.append(events);
    const occupancy = new ClusterModel(nodes, pods, store).occupancy(store.state);
    const names = [...occupancy.on(store.words.nodes.find("node-2"))].map((pod) => store.words.pods.name(pod));
    expect(names).toEqual(["kube-system/node-agent-01", "default/batch-2-0", "default/batch-2-1", "default/payment-0"]);
  });
});
