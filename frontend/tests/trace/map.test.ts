import { describe, expect, test } from "vitest";
import type { NodeItem } from "../../src/api/types";
import { layoutMap, neighbour, nodeAt } from "../../src/elements/map_layout";
import { roomFor } from "../../src/trace/fragmentation";
import { groupNodes, groupingLabels, without } from "../../src/trace/hierarchy";
import { emptyLoad, takeLoad } from "../../src/trace/load";
import { PodState } from "../../src/trace/pod_columns";
import { recorded, storeOf } from "../fixtures";

const ZONE = "topology.kubernetes.io/zone";
const node = (name: string, labels: Record<string, string>): NodeItem => ({ name, labels, taints: [], unschedulable: false, allocatable: { cpu: 4000 } });

/** Twelve nodes, three zones, two racks a zone, each with a name of its own and one architecture. */
const NODES = Array.from({ length: 12 }, (_, i) =>
  node(`n${i}`, { "kubernetes.io/hostname": `n${i}`, [ZONE]: `z${i % 3}`, rack: `r${i % 2}`, serial: `s${i}`, "kubernetes.io/arch": "amd64" }),
);
const IDS = NODES.map((_, i) => i);

describe("grouping", () => {
  test("offers the labels that group, the well known first, and none that names single nodes", () => {
    expect(groupingLabels(NODES)).toEqual([ZONE, "rack", "kubernetes.io/arch"]);
    expect(groupingLabels([])).toEqual([]);
  });

  test("nests by one label inside the other; nodes without the label stand last", () => {
    const [first, , , last] = groupNodes([...NODES, node("lost", {})], [ZONE, "rack"], [...IDS, 12]);
    expect(first).toMatchObject({ name: "z0", nodes: [0, 3, 6, 9], parts: [{ name: "r0", nodes: [0, 6] }, { name: "r1", nodes: [3, 9] }] });
    expect(last).toMatchObject({ name: "", nodes: [12] });
  });

  test("without labels all nodes are one group, and empty groups go with their nodes", () => {
    expect(groupNodes(NODES, [], IDS)).toEqual([{ name: "", nodes: IDS, parts: [] }]);
    expect(without(groupNodes(NODES, [ZONE], IDS), (id) => id % 3 === 1).map((group) => group.name)).toEqual(["z0", "z2"]);
  });
});

describe("the treemap", () => {
  const allocatable = new Float64Array([1000, 2000, 4000, 1000, 3000, 1000, 0, 4000]);
  const groups = [
    { name: "a", nodes: [0, 1, 2, 3], parts: [] },
    { name: "b", nodes: [4, 5, 6, 7], parts: [] },
  ];
  const layout = layoutMap(groups, allocatable, 800, 300);
  const area = (id: number) => layout.w[id]! * layout.h[id]!;

  test("gives every node an area in proportion to what it has, in the order of the group", () => {
    expect(area(1) / area(0)).toBeCloseTo(2, 3);
    expect(area(2) / area(0)).toBeCloseTo(4, 3);
    expect([...layout.order]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("leaves a place for a node that has nothing of the resource", () => {
    expect(area(6)).toBeGreaterThan(0);
  });

  test("lets no two nodes overlap and none lie outside", () => {
    for (const a of layout.order) {
      expect(layout.x[a]).toBeGreaterThanOrEqual(0);
      expect(layout.x[a]! + layout.w[a]!).toBeLessThanOrEqual(800.01);
      expect(layout.y[a]! + layout.h[a]!).toBeLessThanOrEqual(300.01);
      expect(nodeAt(layout, layout.x[a]! + layout.w[a]! / 2, layout.y[a]! + layout.h[a]! / 2)).toBe(a);
    }
  });

  test("five thousand equal nodes become nearly square tiles", () => {
    const many = new Float64Array(5000).fill(8000);
    const large = layoutMap([{ name: "", nodes: Array.from(many.keys()), parts: [] }], many, 1100, 300);
    const ratios = Array.from(large.order, (id) => Math.max(large.w[id]! / large.h[id]!, large.h[id]! / large.w[id]!)).sort((a, b) => a - b);
    expect(ratios[Math.floor(ratios.length * 0.9)]).toBeLessThan(1.6);
  });

  test("arrow keys go to the neighbour in that direction, and stay at the edge", () => {
    const square = new Float64Array(4).fill(1);
    const four = layoutMap([{ name: "", nodes: [0, 1, 2, 3], parts: [] }], square, 400, 418);
    const right = neighbour(four, 0, "ArrowRight");
    expect(four.x[right]).toBeGreaterThan(four.x[0]!);
    expect(neighbour(four, 0, "ArrowLeft")).toBe(0);
    expect(neighbour(four, -1, "ArrowDown")).toBe(0);
  });
});

describe("room that is left", () => {
  const cpu = { allocatable: new Float64Array([4000, 4000, 4000]), used: new Float64Array([3500, 0, 1000]), request: 1500 };
  const memory = { allocatable: new Float64Array([8, 8, 8]), used: new Float64Array([0, 7, 0]), request: 2 };

  test("says what is free, and what no such pod can use", () => {
    const room = roomFor(cpu, [cpu, memory], () => false);
    expect([...room.stranded]).toEqual([500, 4000, 0]);
    expect(room.total).toEqual({ free: 7500, stranded: 4500, largest: 4000 });
  });

  test("leaves out nodes that are away, and calls nothing stranded for a pod that asks for nothing", () => {
    expect(roomFor(cpu, [cpu, memory], (id) => id === 1).total).toEqual({ free: 3500, stranded: 500, largest: 3000 });
    expect(roomFor(cpu, [{ ...cpu, request: 0 }], () => false).total.stranded).toBe(0);
  });
});

describe("what stands on the nodes", () => {
  test("one pass gives amounts, numbers and a fingerprint that changes with the node's own pods only", () => {
    const { store, model } = storeOf(recorded("evicted"));
    const take = () => {
      const load = emptyLoad(model.numNodes);
      takeLoad(load, store.state, model.requestColumn("cpu"));
      return load;
    };
    const victim = store.log.find((event) => event.type === "VictimsSelected")!;
    const one = store.words.nodes.find("node" in victim ? (victim.node ?? "") : "");
    const two = model.nodes.findIndex((_, id) => id !== one);
    const after = take();
    expect([...after.used]).toEqual([...model.used("cpu", store.state)]);
    store.seek(1);
    const before = take();
    expect([...before.used]).toEqual([...model.used("cpu", store.state)]);
    expect(before.pods.reduce((sum, count) => sum + count, 0)).toBe(store.state.pods.counts[PodState.BOUND]);
    expect(before.print[one]).not.toBe(after.print[one]);
    expect(before.print[two]).toBe(after.print[two]);
  });
});
