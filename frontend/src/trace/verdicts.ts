/** A cycle's verdicts as a table: a row a node or a group of nodes judged alike, a column a plugin that refused any. */

import { count, exact, quantity } from "../base/format";
import { glyphOfCode } from "../base/glyphs";
import type { GlyphName } from "../base/glyphs";
import type { CycleDetail, NeedItem, NumbersRecord, StatusItem } from "../api/detail";

export const PASSES = -1;
export const NOT_LOOKED_AT = -2;

const { compare } = new Intl.Collator("en", { numeric: true });

export type Mode = "first" | "all";

export interface VerdictRow {
  key: string;
  glyph: GlyphName;
  /** Row indices into the detail's nodes. */
  nodes: number[];
  /** One for each column: PASSES, NOT_LOOKED_AT or an index into the detail's statuses. */
  cells: number[];
  /** What is said of it: the first refusal. */
  status: StatusItem | null;
  total: number | null;
  /** The lowest and the highest total of a group. */
  totals: readonly [number, number] | null;
  tied: boolean;
}

export interface VerdictTable {
  columns: string[];
  /** Filters that refused nothing. */
  quiet: string[];
  rows: VerdictRow[];
}

/** Up to this many nodes each has a row of its own. */
export const SINGLE_ROWS = 24;
const SINGLE_FEASIBLE = 8;

/** The glyph of a node in this cycle. */
export function glyphOfRow(detail: CycleDetail, row: number): GlyphName {
  const outcome = detail.outcome[row] ?? NOT_LOOKED_AT;
  if (outcome === NOT_LOOKED_AT) return "skipped";
  if (outcome === PASSES) return detail.node !== null && detail.nodes[row] === detail.node ? "chosen" : "fits";
  return glyphOfCode(detail.statuses[outcome]?.code);
}

/** All filter plugins in the order they ran; a PreFilter plugin that refused stands in front. */
export function filterOrder(detail: CycleDetail): string[] {
  const order = Object.keys(detail.filters);
  for (const outcome of new Set(detail.outcome)) {
    const plugin = detail.statuses[outcome]?.plugin;
    if (plugin && !order.includes(plugin)) order.unshift(plugin);
  }
  return order;
}

function cellsFirst(detail: CycleDetail, order: readonly string[], row: number): number[] {
  const outcome = detail.outcome[row] ?? NOT_LOOKED_AT;
  if (outcome < 0) return order.map(() => outcome);
  const at = order.indexOf(detail.statuses[outcome]?.plugin ?? "");
  return order.map((_, column) => (column < at ? PASSES : column === at ? outcome : NOT_LOOKED_AT));
}

function cellsAll(detail: CycleDetail, order: readonly string[], row: number): number[] {
  return order.map((plugin) => {
    const verdicts = detail.filters[plugin];
    if (verdicts) return verdicts.length ? (verdicts[row] ?? NOT_LOOKED_AT) : PASSES;
    const outcome = detail.outcome[row] ?? NOT_LOOKED_AT;
    return detail.statuses[outcome]?.plugin === plugin ? outcome : NOT_LOOKED_AT;
  });
}

const kept = new WeakMap<CycleDetail, Partial<Record<Mode, VerdictTable>>>();

/** The table of a cycle, made once; `reason` leaves the nodes that gave it. */
export function verdictTable(detail: CycleDetail, mode: Mode, reason = ""): VerdictTable {
  const known = kept.get(detail) ?? {};
  const table = (known[mode] ??= makeTable(detail, mode));
  kept.set(detail, known);
  if (!reason) return table;
  return { ...table, rows: table.rows.filter((row) => row.status?.reasons.includes(reason)) };
}

function makeTable(detail: CycleDetail, mode: Mode): VerdictTable {
  const order = filterOrder(detail);
  const cellsOf = mode === "first" ? cellsFirst : cellsAll;
  const cells = detail.nodes.map((_, row) => cellsOf(detail, order, row));
  const shown = order.map((_, column) => cells.some((row) => row[column]! >= 0));
  const totals = new Map(detail.scored.map((row, at) => [row, detail.total[at] ?? 0]));
  const rows = groupRows(detail, cells, shown, totals);
  return {
    columns: order.filter((_, column) => shown[column]),
    quiet: order.filter((_, column) => !shown[column]),
    rows: rows.sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (b.total ?? 0) - (a.total ?? 0) ||
        b.nodes.length - a.nodes.length ||
        compare(detail.nodes[a.nodes[0]!]!, detail.nodes[b.nodes[0]!]!),
    ),
  };
}

const RANKS: Partial<Record<GlyphName, number>> = { chosen: 0, fits: 1, refused: 2, final: 3, skipped: 4 };
const rank = (row: VerdictRow): number => RANKS[row.glyph] ?? 5;

function groupRows(detail: CycleDetail, cells: number[][], shown: boolean[], totals: Map<number, number>): VerdictRow[] {
  const single = detail.nodes.length <= SINGLE_ROWS;
  const best = new Set([...totals].sort((a, b) => b[1] - a[1]).slice(0, SINGLE_FEASIBLE).map(([row]) => row));
  const ties = new Set(detail.ties);
  const groups = new Map<string, VerdictRow>();
  detail.nodes.forEach((name, row) => {
    const glyph = glyphOfRow(detail, row);
    const mine = cells[row]!.filter((_, column) => shown[column]);
    const alone = single || glyph === "chosen" || best.has(row);
    const key = alone ? `node ${name}` : `${detail.outcome[row]} ${mine.join(" ")}`;
    const group = groups.get(key);
    if (group) {
      group.nodes.push(row);
      group.total = null;
      group.totals = joined(group.totals, totals.get(row));
      return;
    }
    groups.set(key, {
      key,
      glyph,
      nodes: [row],
      cells: mine,
      status: detail.statuses[detail.outcome[row] ?? NOT_LOOKED_AT] ?? null,
      total: totals.get(row) ?? null,
      totals: joined(null, totals.get(row)),
      tied: ties.has(row) && ties.size > 1,
    });
  });
  return [...groups.values()];
}

function joined(range: readonly [number, number] | null, total: number | undefined): readonly [number, number] | null {
  if (total === undefined) return range;
  return range ? [Math.min(range[0], total), Math.max(range[1], total)] : [total, total];
}

/** The numbers behind a plugin's refusal of a node. */
export function recordsOf(detail: CycleDetail, plugin: string, row: number): NumbersRecord[] {
  const index = detail.numbers[plugin]?.[String(row)];
  return index === undefined ? [] : (detail.records[index] ?? []);
}

/** The same in the core's words; "" where the plugin gave none. */
export function wordsOf(detail: CycleDetail, plugin: string, row: number): string {
  const index = detail.numbers[plugin]?.[String(row)];
  return index === undefined ? "" : (detail.texts[index] ?? "");
}

/** What is short of a resource on a node. */
export function needsOf(detail: CycleDetail, plugin: string, row: number): NeedItem[] {
  return recordsOf(detail, plugin, row).filter((record): record is NumbersRecord & NeedItem => typeof record["short"] === "number" && record["short"] > 0);
}

/** What a plugin has against nodes refused alike, in the core's words: the first one's, and how many differ. */
export function wordsOfRows(detail: CycleDetail, plugin: string, rows: readonly number[]): string {
  const first = wordsOf(detail, plugin, rows[0] ?? -1);
  if (!first) return "";
  const others = rows.filter((row) => wordsOf(detail, plugin, row) !== first).length;
  return others ? `${first} (${count(others)} more alike)` : first;
}

export interface NeedText {
  text: string;
  exact: string;
}

/** "cpu: need 500m, have 380m, short 120m"; over several nodes the range of what is short. */
export function needText(detail: CycleDetail, plugin: string, rows: readonly number[]): NeedText[] {
  const byResource = new Map<string, NeedItem[]>();
  for (const row of rows) {
    for (const need of needsOf(detail, plugin, row)) {
      const kept = byResource.get(need.resource);
      if (kept) kept.push(need);
      else byResource.set(need.resource, [need]);
    }
  }
  return [...byResource].map(([resource, needs]) => {
    const show = (value: number) => quantity(resource, value);
    const needed = needs[0]!.requested;
    const free = needs.map((need) => need.allocatable - need.used);
    const least = Math.min(...free);
    const most = Math.max(...free);
    const short = needed - most;
    const have = least === most ? show(most) : `${show(least)} to ${show(most)}`;
    return {
      text: `${resource}: needs ${show(needed)}, free ${have}, short ${show(short)}`,
      exact: `${resource}: needs ${exact(resource, needed)}, free ${exact(resource, least)} to ${exact(resource, most)}`,
    };
  });
}
