import { describe, expect, it } from "vitest";
import type { Capacity } from "../../src/api/questions";
import type { NodeItem, PodItem } from "../../src/api/types";
import { pathOf, shares, some } from "../../src/trace/capacity_curve";
import { nodeKinds } from "../../src/trace/node_kinds";
import { reasonCounts } from "../../src/trace/reason_counts";
import { glyphOf, partsOf } from "../../src/trace/repair_words";
import { choicesOf, ratioOf, whyNotPlaced } from "../../src/trace/workload_templates";

const pod = (name: string, more: Partial<PodItem> = {}): PodItem => ({ namespace: "shop", name, node: null, phase: "Pending", priority: 0, requests: {}, owner: "", labels: {}, ...more });
const node = (name: string, cpu: number, more: Partial<NodeItem> = {}): NodeItem => ({ name, labels: {}, taints: [], unschedulable: false, allocatable: { cpu }, ...more });

describe("a message that no node is available", () => {
  it("gives how many nodes have which reason, the most frequent first", () => {
    const message = "0/4 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/a.b: yes, or no}, 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 4 No preemption victims found.";
    expect(reasonCounts(message)).toEqual([
      { nodes: 3, reason: "Insufficient cpu" },
      { nodes: 1, reason: "node(s) had untolerated taint {node.kubernetes.io/a.b: yes, or no}" },
    ]);
  });

  it("gives nothing where it says something else", () => {
    expect(reasonCounts("no nodes available to schedule pods")).toEqual([]);
    expect(reasonCounts("")).toEqual([]);
  });
});

describe("a repair's sentence", () => {
  it("is what is done, and what comes of it", () => {
    expect(partsOf("Lower main's cpu request to 2 (1 less): shop/web goes to n1; 2 moved.", "shop/web")).toEqual({ what: "Lower main's cpu request to 2 (1 less)", then: "It goes to n1; 2 moved." });
    expect(partsOf("Something else.", "shop/web")).toEqual({ what: "Something else.", then: "" });
  });

  it("has a glyph for how much else changes", () => {
    const none = { newly_pending: [], gone: [], moved: [], rescued: [], new: [] };
    expect(glyphOf({ difference: none })).toBe("fits");
    expect(glyphOf({ difference: { ...none, moved: [{ pod: "shop/a" }] } })).toBe("changed");
    expect(glyphOf({ difference: { ...none, gone: ["shop/a"], moved: [{ pod: "shop/b" }] } })).toBe("victim");
  });
});

describe("what can be placed again and again", () => {
  it("is one pod of each workload, those with most pods first, none of a DaemonSet", () => {
    const replica = { owner: "ReplicaSet/web-7d9f8c6b5", labels: { "pod-template-hash": "7d9f8c6b5" } };
    const pods = [pod("alone"), pod("agent-1", { owner: "DaemonSet/agent" }), undefined, pod("web-a", replica), pod("web-b", replica), pod("db-0", { owner: "StatefulSet/db" })];
    expect(choicesOf(pods)).toEqual([
      { like: "shop/web-a", name: "shop/web", pods: 2 },
      { like: "shop/alone", name: "shop/alone", pods: 1 },
      { like: "shop/db-0", name: "shop/db", pods: 1 },
    ]);
  });

  it("comes in the ratio of the replicas that are written", () => {
    expect(ratioOf([{ spec: { replicas: 4 } }, { spec: { replicas: 6 } }, { spec: {} }])).toEqual([4, 6, 1]);
    expect(ratioOf([{ spec: { replicas: 4 } }, { spec: { replicas: 6 } }])).toEqual([2, 3]);
    expect(ratioOf([{ spec: { replicas: 0 } }])).toEqual([0]);
  });

  it("is a pod or a workload whose pods may be as many as one likes", () => {
    expect(["Pod", "Deployment", "StatefulSet", "Job", "CronJob"].map((kind) => whyNotPlaced({ kind }))).toEqual(["", "", "", "", ""]);
    expect(whyNotPlaced({ kind: "Service", metadata: { name: "web" } })).toBe("Service web is neither a pod nor a workload.");
    expect(whyNotPlaced({ kind: "DaemonSet" })).toMatch(/^A DaemonSet puts one pod on each node/);
  });
});

describe("kinds of nodes", () => {
  it("differ in size, lasting taints and machine type, not in what passes", () => {
    const gpu = { taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] };
    const cordoned = { taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }] };
    const found = nodeKinds([node("g", 4000, gpu), node("a", 4000), undefined, node("b", 4000, cordoned), node("c", 8000)]);
    expect(found.map(({ node: one, nodes }) => [one.name, nodes])).toEqual([
      ["a", 2],
      ["g", 1],
      ["c", 1],
    ]);
  });
});

describe("curves", () => {
  const at = (pods: number, feasible: number, cpu: number) => ({ pods, feasible, evaluated: 4, requested: { cpu, memory: 100, pods } });
  const found = { curve: [at(1, 4, 1000), at(2, 1, 2000)], allocatable: { cpu: 4000, memory: 1000, pods: 20, gpu: 0 } } as unknown as Capacity;

  it("are nodes that fit, and what grows of the resources, the scarcest first", () => {
    expect(shares(found)).toEqual([
      { name: "nodes that fit", points: [[1, 1], [2, 0.25]] },
      { name: "cpu", points: [[1, 0.25], [2, 0.5]] },
      { name: "pods", points: [[1, 0.05], [2, 0.1]] },
    ]);
  });

  it("are drawn upwards in a box of 100 by 100", () => {
    expect(pathOf([[1, 1], [2, 0.25], [5, 0]], 1, 5, 1)).toBe("M0.00 0.00L25.00 75.00L100.00 100.00");
  });

  it("are thinned for a table, with both ends", () => {
    expect(some([1, 2, 3], 5)).toEqual([1, 2, 3]);
    expect(some([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([1, 4, 7]);
  });
});
