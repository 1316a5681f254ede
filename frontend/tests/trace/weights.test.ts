import { describe, expect, it } from "vitest";
import type { CycleDetail } from "../../src/api/types";
import { nearestWhole, ranked, totalsOf, winnersOf, winsOver } from "../../src/trace/weights";

/** Nodes with (score of Fit, score of everything else), weights 1, and something that no plugin gave. */
function cycle(nodes: [number, number][], given = 0): CycleDetail {
  const all = nodes.map((_, at) => at);
  return {
    nodes: all.map((at) => `node-${at}`),
    scored: all,
    weights: { Fit: 1, Rest: 1 },
    normalized: { Fit: nodes.map(([fit]) => fit), Rest: nodes.map(([, rest]) => rest) },
    total: nodes.map(([fit, rest]) => fit + rest + given),
  } as unknown as CycleDetail;
}

describe("a decision under other weights", () => {
  it("flips where two totals are equal", () => {
    const wins = winsOver(cycle([[10, 90], [60, 70]]), "Fit", { Fit: 1, Rest: 1 }, 100);
    expect(wins).toEqual([
      { from: 0, to: 0.4, rows: [0] },
      { from: 0.4, to: 100, rows: [1] },
    ]);
  });

  it("leaves out who leads nowhere, and counts the other weights as they are now", () => {
    const detail = cycle([[0, 100], [50, 40], [100, 20]]);
    expect(winsOver(detail, "Fit", { Fit: 1, Rest: 1 }, 100).map((win) => [win.from, win.rows])).toEqual([[0, [0]], [0.8, [2]]]);
    expect(winsOver(detail, "Fit", { Fit: 1, Rest: 2 }, 100).map((win) => win.from)).toEqual([0, 1.6]);
  });

  it("lets the same lines win together", () => {
    expect(winsOver(cycle([[30, 5], [30, 5], [20, 5]]), "Fit", { Fit: 1, Rest: 1 }, 10)).toEqual([{ from: 0, to: 10, rows: [0, 1] }]);
  });

  it("goes to the nearest whole weight at which a win holds alone", () => {
    expect(nearestWhole({ from: 2.4, to: 10, rows: [] }, 1, 10)).toBe(3);
    expect(nearestWhole({ from: 2, to: 10, rows: [] }, 1, 10)).toBe(3);
    expect(nearestWhole({ from: 0, to: 5, rows: [] }, 8, 10)).toBe(4);
    expect(nearestWhole({ from: 2.1, to: 2.8, rows: [] }, 8, 10)).toBeNull();
    expect(nearestWhole({ from: 7, to: 10, rows: [] }, 50, 10)).toBe(10);
  });

  it("keeps what no plugin gave", () => {
    const detail = cycle([[10, 20], [30, 5]], 7);
    expect(totalsOf(detail, { Fit: 3, Rest: 1 })).toEqual([57, 102]);
    expect(ranked([57, 102])).toEqual([1, 0]);
    expect(winnersOf([3, 9, 9])).toEqual([1, 2]);
  });

  it("has at every weight the winner that adding up gives", () => {
    const detail = cycle([[13, 71], [99, 2], [40, 55], [71, 30], [40, 55], [0, 80]]);
    const wins = winsOver(detail, "Fit", { Fit: 1, Rest: 1 }, 10);
    for (let weight = 0; weight <= 10; weight += 0.25) {
      const winners = wins.filter((win) => win.from <= weight && weight <= win.to).flatMap((win) => win.rows);
      expect(winners.sort()).toEqual(expect.arrayContaining(winnersOf(totalsOf(detail, { Fit: weight, Rest: 1 }))));
    }
  });
});
