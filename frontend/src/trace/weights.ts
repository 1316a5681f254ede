/** Who wins a cycle under other weights: totals are straight lines over a weight, winners their upper envelope. */

import type { CycleDetail } from "../api/types";

export type Weights = Readonly<Record<string, number>>;

export interface Win {
  from: number;
  to: number;
  /** Rows of `scored`. */
  rows: number[];
}

/** The plugins that scored, in their order. */
export function weighable(detail: CycleDetail): string[] {
  return Object.keys(detail.normalized).filter((plugin) => detail.normalized[plugin]!.length > 0);
}

/** What a node's scores add up to. What no plugin gave, an extender's part, stays. */
export function totalsOf(detail: CycleDetail, weights: Weights): number[] {
  const plugins = weighable(detail);
  return detail.total.map((total, at) =>
    plugins.reduce((sum, plugin) => sum + ((weights[plugin] ?? 0) - (detail.weights[plugin] ?? 0)) * detail.normalized[plugin]![at]!, total),
  );
}

/** Rows of `scored`, the best first. */
export function ranked(totals: readonly number[]): number[] {
  return totals.map((_, at) => at).sort((a, b) => totals[b]! - totals[a]! || a - b);
}

export function winnersOf(totals: readonly number[]): number[] {
  const most = Math.max(...totals);
  return totals.flatMap((total, at) => (total === most ? [at] : []));
}

/** The winners over the weights 0 to `end` of one plugin, the others' as they are. */
export function winsOver(detail: CycleDetail, plugin: string, weights: Weights, end: number): Win[] {
  const slopes = detail.normalized[plugin]!;
  const bases = totalsOf(detail, { ...weights, [plugin]: 0 });
  const lines = new Map<string, { slope: number; base: number; rows: number[] }>();
  slopes.forEach((slope, at) => {
    const key = `${slope} ${bases[at]}`;
    const line = lines.get(key) ?? { slope, base: bases[at]!, rows: [] };
    line.rows.push(at);
    lines.set(key, line);
  });
  const all = [...lines.values()];
  let current = all.reduce((best, line) => (line.base > best.base || (line.base === best.base && line.slope > best.slope) ? line : best));
  const wins: Win[] = [{ from: 0, to: end, rows: current.rows }];
  for (;;) {
    let at = end;
    let next = current;
    for (const line of all) {
      if (line.slope <= current.slope) continue;
      const crossing = (current.base - line.base) / (line.slope - current.slope);
      if (crossing < at || (crossing === at && next !== current && line.slope > next.slope)) [at, next] = [crossing, line];
    }
    if (next === current) return wins;
    wins.at(-1)!.to = at;
    wins.push({ from: at, to: end, rows: next.rows });
    current = next;
  }
}

/** The whole weight nearest to another at which a win holds alone; none where it lies between two. */
export function nearestWhole(win: Win, weight: number, end: number): number | null {
  const least = win.from === 0 ? 0 : Math.floor(win.from) + 1;
  const most = win.to === end ? end : Math.ceil(win.to) - 1;
  if (least > most) return null;
  return Math.max(least, Math.min(most, weight));
}
