import { describe, expect, test } from "vitest";
import type { CycleDetail } from "../../src/api/types";
import { tally } from "../../src/trace/extension_points";
import { NOT_LOOKED_AT, PASSES, needText, verdictTable, wordsOf, wordsOfRows } from "../../src/trace/verdicts";
import { recorded } from "../fixtures";

const detailOf = (name: Parameters<typeof recorded>[0], cycle: number): CycleDetail => recorded(name).details[String(cycle)]!;

/** A cycle on `size` nodes: the first fits, every third is refused by Fit, the others by Taint for good. */
function large(size: number): CycleDetail {
  const base = detailOf("evicted", 1);
  const outcome = Array.from({ length: size }, (_, row) => (row === 0 ? PASSES : row % 3 === 0 ? 0 : 1));
  return {
    ...base,
    nodes: outcome.map((_, row) => `node-${row}`),
    statuses: [
      { code: "Unschedulable", plugin: "Fit", reasons: ["Insufficient cpu"] },
      { code: "UnschedulableAndUnresolvable", plugin: "Taint", reasons: ["untolerated taint"] },
    ],
    outcome,
    filters: { Name: outcome.map(() => PASSES), Taint: outcome.map((one) => (one === 1 ? 1 : PASSES)), Fit: outcome.map((_, row) => (row === 0 ? PASSES : 0)) },
    node: "node-0",
    result: "scheduled",
  };
}

describe("node × plugin", () => {
  test("few nodes have a row each; filters that refused nothing have no column", () => {
    const table = verdictTable(detailOf("eighth-replica", 8), "first");
    expect(table.rows).toHaveLength(9);
    expect(table.columns).toEqual(["NodeUnschedulable", "TaintToleration", "NodePorts"]);
    expect(table.quiet).toContain("NodeName");
    expect(table.rows[0]).toMatchObject({ glyph: "refused", status: { plugin: "NodePorts" } });
    expect(table.rows[8]).toMatchObject({ glyph: "final" });
  });

  test("the chosen node stands first, then what fits by its score", () => {
    const table = verdictTable(detailOf("eighth-replica", 1), "first");
    expect(table.rows[0]!.glyph).toBe("chosen");
    const totals = table.rows.filter((row) => row.glyph === "fits").map((row) => row.total!);
    expect(totals).toEqual([...totals].sort((a, b) => b - a));
  });

  test("many nodes judged alike are one row", () => {
    const table = verdictTable(large(5000), "first");
    expect(table.rows.map((row) => [row.glyph, row.nodes.length])).toEqual([
      ["chosen", 1],
      ["refused", 1666],
      ["final", 3333],
    ]);
  });

  test("after the first refusal nothing was looked at, unless every plugin is asked", () => {
    const cells = (mode: "first" | "all") => verdictTable(large(30), mode).rows.find((row) => row.glyph === "final")!.cells;
    expect(cells("first")).toEqual([1, NOT_LOOKED_AT]);
    expect(cells("all")).toEqual([1, 0]);
  });

  test("a refusal before the filters has its column in front", () => {
    const detail = { ...large(3), filters: {}, outcome: [1, 1, 1], node: null };
    expect(verdictTable(detail, "all")).toMatchObject({ columns: ["Taint"], quiet: [] });
  });
});

describe("the numbers behind a refusal", () => {
  test("say what is needed, free and short", () => {
    const [need] = needText(detailOf("evicted", 1), "NodeResourcesFit", [0]);
    expect(need?.text).toBe("cpu: needs 1, free 200m, short 800m");
  });

  test("over several nodes give the range, and how short the nearest is", () => {
    const detail = structuredClone(detailOf("evicted", 1));
    detail.numbers["NodeResourcesFit"]!["1"] = detail.records.length;
    detail.records.push([{ ...detail.records[0]![0], used: 3500 }]);
    const [need] = needText(detail, "NodeResourcesFit", [0, 1, 2]);
    expect(need?.text).toBe("cpu: needs 1, free 200m to 400m, short 600m");
  });

  test("are absent where the core gave none", () => {
    expect(needText(detailOf("evicted", 2), "NodeResourcesFit", [1])).toEqual([]);
  });
});

describe("the core's words", () => {
  test("stand for a node, and for nodes refused alike", () => {
    const detail = detailOf("eighth-replica", 8);
    const row = detail.nodes.indexOf("worker-1");
    const other = detail.nodes.indexOf("worker-2");
    expect(wordsOf(detail, "NodePorts", row)).toMatch(/^port 443\/TCP is held by edge\/edge-proxy-\d$/);
    expect(wordsOfRows(detail, "NodePorts", [row, other])).toBe(`${wordsOf(detail, "NodePorts", row)} (1 more alike)`);
    expect(wordsOf(detail, "NodeName", row)).toBe("");
  });

  test("the nodes behind one reason of the message are found", () => {
    const detail = detailOf("eighth-replica", 8);
    const part = detail.message_parts.find((one) => one.reason?.includes("free ports"))!;
    const rows = verdictTable(detail, "first", part.reason).rows;
    expect(rows.reduce((sum, row) => sum + row.nodes.length, 0)).toBe(part.num_nodes);
    expect(detail.message_parts.map((one) => one.text).join("")).toBe(detail.message);
  });
});

describe("extension points", () => {
  test("what the calls come to is counted", () => {
    expect(tally([{ plugin: "A" }, { plugin: "B", did: "skipped" }, { plugin: "C", did: "skipped" }, { plugin: "D", did: "later" }])).toBe("1 ran, 2 skipped, 1 to come");
  });
});
