/**
 * A cycle as it stands at the playhead. Its row and its detail are known as a whole; inside the cycle only what is decided by
 * then may be shown. Events divide a cycle, and between two of them the plugins that were asked, one stop each.
 */

import type { TraceEvent } from "../api/events.gen";
import type { CycleDetail, PointItem } from "../api/detail";
import { rowAt } from "./cycle_index";
import type { CycleRow } from "./cycle_index";
import type { RunStore } from "./run_store";

/** A place between two events: after this plugin was asked at this extension point. */
export interface Stop {
  point: string;
  plugin: string;
}

export interface SoFar {
  /** Types of the cycle's events up to the playhead; null where the playhead is past the scheduling cycle. */
  types: ReadonlySet<TraceEvent["type"]> | null;
  /** The plugins asked since the last of them. */
  asked: readonly Stop[];
}

const ALL: SoFar = { types: null, asked: [] };

/** The extension points whose plugins are asked between an event of a cycle and its next one. */
const BETWEEN: Partial<Record<TraceEvent["type"], Partial<Record<TraceEvent["type"], readonly string[]>>>> = {
  CycleStarted: { NodesFiltered: ["PreFilter", "Filter"], PodUnschedulable: ["PreFilter", "Filter", "PostFilter"] },
  NodesFiltered: { VictimsSelected: ["PostFilter"], PodUnschedulable: ["PostFilter"], NodesScored: ["PreScore", "Score"] },
  PodAssumed: { PodWaiting: ["Reserve"], PodUnschedulable: ["Reserve", "Permit"] },
};
/** The points that are past with an event; those that an event ends in another way come with the end of the cycle. */
const PAST: readonly (readonly [TraceEvent["type"], readonly string[]])[] = [
  ["NodesFiltered", ["PreFilter", "Filter"]],
  ["VictimsSelected", ["PostFilter"]],
  ["NodesScored", ["PreScore", "Score"]],
  ["PodAssumed", ["PreScore", "Score"]],
  ["PodWaiting", ["Reserve"]],
];

/** The row of a cycle as its events up to the playhead tell it. */
export function rowSoFar(store: RunStore, cycle: number): CycleRow | undefined {
  const row = store.cycles.row(cycle);
  if (!row || store.state.seq >= Math.max(row.lastSeq, row.settled)) return row;
  return rowAt(row, store.log, store.state.seq, store.words);
}

/** How far a cycle has come at the playhead. */
export function soFar(store: RunStore, detail: CycleDetail): SoFar {
  const { cycle } = detail;
  const row = store.cycles.row(cycle);
  const { seq } = store.state;
  if (!row || seq >= row.lastSeq) return ALL;
  const mine = store.log.slice(row.firstSeq - 1, row.lastSeq).filter((event) => isOf(event, cycle));
  const types = new Set(mine.filter((event) => event.seq <= seq).map((event) => event.type));
  // A detail ends with the scheduling cycle: how the binding ended the events tell by themselves.
  const decided = types.has("PodAssumed") && detail.result === "scheduled" && !mine.some((event) => event.seq > seq && event.type === "PodWaiting");
  if (decided || types.has("PodUnschedulable") || mine.at(-1)!.seq <= seq) return ALL;
  return { types, asked: stopsAfter(store, detail, seq).slice(0, store.stop) };
}

/** The stops between an event of a cycle and its next one: the plugins that were asked there, those that skipped left out. */
export function stopsAfter(store: RunStore, detail: CycleDetail, seq: number): Stop[] {
  const { cycle } = detail;
  const row = store.cycles.row(cycle);
  const last = store.event(seq);
  if (!row || !last || !isOf(last, cycle) || seq >= row.lastSeq) return [];
  const next = store.log.slice(seq, row.lastSeq).find((event) => isOf(event, cycle));
  const names = (next && BETWEEN[last.type]?.[next.type]) ?? [];
  return detail.points.filter((point) => names.includes(point.name)).flatMap(stopsOf);
}

const isOf = (event: TraceEvent, cycle: number): boolean => "cycle" in event && event.cycle === cycle;

function stopsOf(point: PointItem): Stop[] {
  return (point.calls ?? []).filter((call) => call.did !== "skipped").map((call) => ({ point: point.name, plugin: call.plugin }));
}

const made = new WeakMap<CycleDetail, Map<string, CycleDetail>>();

/** The detail without what is not decided yet; the same object for the same place. */
export function detailSoFar(detail: CycleDetail, far: SoFar): CycleDetail {
  if (!far.types) return detail;
  const key = `${[...far.types].join()} ${far.asked.map((stop) => `${stop.point}/${stop.plugin}`).join()}`;
  const known = made.get(detail) ?? new Map<string, CycleDetail>();
  made.set(detail, known);
  const found = known.get(key) ?? cut(detail, far.types, far.asked);
  known.set(key, found);
  return found;
}

type Types = ReadonlySet<TraceEvent["type"]>;

function cut(detail: CycleDetail, types: Types, asked: readonly Stop[]): CycleDetail {
  const chosen = types.has("PodAssumed");
  const preempted = types.has("VictimsSelected") || asked.some((stop) => stop.point === "PostFilter");
  return {
    ...detail,
    ...filtered(detail, types, asked),
    ...scored(detail, types, asked),
    under_way: true,
    filtering: !types.has("NodesFiltered"),
    result: "running",
    message: "",
    message_parts: [],
    unschedulable_plugins: [],
    pending_plugins: [],
    remedies: [],
    node: chosen ? detail.node : null,
    decision: chosen ? detail.decision : "",
    tie_break: chosen ? detail.tie_break : "",
    preemption: preempted ? detail.preemption : null,
    victims: preempted ? detail.victims : [],
    nominated_node: preempted ? detail.nominated_node : null,
    points: detail.points.map((point) => pointSoFar(point, types, asked)),
  };
}

function pointSoFar(point: PointItem, types: Types, asked: readonly Stop[]): PointItem {
  if (PAST.some(([type, names]) => types.has(type) && names.includes(point.name))) return point;
  const stops = asked.filter((stop) => stop.point === point.name);
  if (!stops.length) return { name: point.name };
  const whole = stops.length === stopsOf(point).length;
  if (whole) return point;
  const calls = (point.calls ?? []).filter((call) => stops.some((stop) => stop.plugin === call.plugin));
  return { name: point.name, did: "ran", text: `${calls.length} of ${stopsOf(point).length} plugins asked`, calls };
}

const NOTHING_FILTERED: Partial<CycleDetail> = {
  num_evaluated: 0,
  num_feasible: 0,
  sample: null,
  nodes: [],
  statuses: [],
  outcome: [],
  filters: {},
  prefilter: [],
  numbers: {},
  pod_numbers: {},
  explanation: [],
};

/** The nodes' verdicts: of all filters, of those asked so far, or none. */
function filtered(detail: CycleDetail, types: Types, asked: readonly Stop[]): Partial<CycleDetail> {
  if (types.has("NodesFiltered")) return {};
  const names = asked.filter((stop) => stop.point === "Filter").map((stop) => stop.plugin);
  if (!names.length) return NOTHING_FILTERED;
  const before = new Set(["", ...detail.prefilter.map((item) => item.plugin)]);
  const filters = detail.points.find((point) => point.name === "Filter")?.calls?.map((call) => call.plugin) ?? [];
  const said = (plugin: string) => names.includes(plugin) || (before.has(plugin) && !filters.includes(plugin));
  const of = <T>(table: Record<string, T>) => Object.fromEntries(Object.entries(table).filter(([plugin]) => names.includes(plugin)));
  const outcome = detail.outcome.map((one) => (one < 0 || said(detail.statuses[one]?.plugin ?? "") ? one : -1));
  return {
    num_feasible: outcome.filter((one) => one === -1).length,
    outcome,
    filters: of(detail.filters),
    numbers: of(detail.numbers),
    pod_numbers: of(detail.pod_numbers),
    explanation: detail.explanation.filter((item) => item.plugin !== undefined && said(item.plugin)),
  };
}

/** The scores: all, those of the plugins asked so far with their sums, or none. */
function scored(detail: CycleDetail, types: Types, asked: readonly Stop[]): Partial<CycleDetail> {
  if (types.has("NodesScored") || types.has("PodAssumed")) return {};
  const names = asked.filter((stop) => stop.point === "Score").map((stop) => stop.plugin);
  const none = { ties: [], tie_break: "", score_numbers: {} };
  if (!names.length) return { ...none, scored: [], raw: {}, normalized: {}, weighted: {}, total: [] };
  const of = <T>(table: Record<string, T>) => Object.fromEntries(Object.entries(table).filter(([plugin]) => names.includes(plugin)));
  const weighted = of(detail.weighted);
  return {
    ...none,
    score_numbers: of(detail.score_numbers ?? {}),
    raw: of(detail.raw),
    normalized: of(detail.normalized),
    weighted,
    total: detail.scored.map((_, at) => Object.values(weighted).reduce((sum, values) => sum + (values[at] ?? 0), 0)),
  };
}
