/**
 * What became of a pod after its scheduling cycle. The cycle's detail is written before it is bound, so the events say it:
 * when it was bound, by whom, or what went wrong. Where the playhead has not come so far yet it is still to come, and nothing
 * more is said.
 */

import type { PodBound, PodPermitted, PodUnschedulable } from "../api/events.gen";
import type { CallItem, CycleDetail, Did, PointItem } from "../api/detail";
import { time } from "../base/format";
import type { Point } from "./extension_points";
import type { RunStore } from "./run_store";

const BINDING = ["PreBind", "Bind", "PostBind"] as const;

interface Binding {
  end: PodBound | PodUnschedulable | null;
  permitted: PodPermitted | null;
  /** Whether the end is still to come at the playhead. */
  ahead: boolean;
}

/** The cycle's points, completed by what came after it. */
export function pointsOf(detail: CycleDetail, store: RunStore, runOver: boolean): Point[] {
  const binding = bindingOf(detail.cycle, store);
  const points = detail.points.map(plain);
  if (binding.ahead) return points.map((point) => (point.name === "Permit" && point.did === "waits" ? letGo(point, binding.permitted) : yetToCome(point, "still to come")));
  if (binding.end?.type === "PodBound") return points.map((point) => bound(point, binding, binding.end as PodBound));
  if (binding.end) return failed(points, binding, binding.end);
  const open = runOver ? "the run ended before this" : "not yet";
  return points.map((point) => yetToCome(point, open));
}

function bindingOf(cycle: number, store: RunStore): Binding {
  const row = store.cycles.row(cycle);
  const permitted = store.event(row?.permitted ?? 0);
  const end = store.event(row?.settled ?? 0);
  return {
    end: end?.type === "PodBound" || end?.type === "PodUnschedulable" ? end : null,
    permitted: permitted?.type === "PodPermitted" && permitted.seq <= store.state.seq ? permitted : null,
    ahead: end !== undefined && end.seq > store.state.seq,
  };
}

function yetToCome(point: Point, text: string): Point {
  return point.did === "later" ? { ...point, text, calls: point.calls.map((call) => later(call, text)) } : point;
}

function plain({ name, did, text, calls }: PointItem): Point {
  return { name, did: did ?? "", text: text ?? "", calls: calls ?? [] };
}

const ran = (call: CallItem): CallItem => (call.did === "later" ? { ...call, did: "ran" } : call);
const later = (call: CallItem, text: string): CallItem => (call.did === "skipped" ? call : { ...call, did: "later", text });
const when = (us: number) => `at t ${time(us)}`;

function bound(point: Point, binding: Binding, end: PodBound): Point {
  if (point.name === "Permit" && point.did === "waits") return letGo(point, binding.permitted);
  if (point.did !== "later") return point;
  const text = point.name === "Bind" ? `to ${end.node} ${when(end.t_us)}` : when(end.t_us);
  const short = point.name === "Bind" ? `t ${time(end.t_us)}` : "";
  const calls = point.name === "Bind" && end.extender ? byExtender(point.calls, end.extender) : point.calls;
  const done = point.name === "Bind" ? `bound the pod ${text}` : "";
  return { ...point, short, did: "ran", text, calls: calls.map((call) => (call.did === "later" ? { ...call, did: "ran", text: done } : call)) };
}

/** An extender that binds is asked instead of the plugins. */
function byExtender(calls: readonly CallItem[], extender: string): CallItem[] {
  return [{ plugin: extender, did: "later" }, ...calls.map((call): CallItem => ({ ...call, did: "skipped", text: "the extender binds" }))];
}

function letGo(point: Point, permitted: PodPermitted | null): Point {
  return permitted ? { ...point, text: `${point.text}; let go ${when(permitted.t_us)}` } : point;
}

function failed(points: readonly Point[], binding: Binding, end: PodUnschedulable): Point[] {
  const name = failedPoint(points, binding, end);
  const at = points.findIndex((point) => point.name === name);
  const text = `${end.message} (${when(end.t_us)})`;
  const did = end.error ? "error" : "refused";
  return points.map((point, place) => {
    if (place > at) return point.did === "later" ? { ...point, did: "", calls: [] } : point;
    if (place === at) return { ...point, did, text, calls: failedCalls(point.calls, end, did, text) };
    if (point.did === "waits") return letGo(point, binding.permitted);
    return point.did === "later" ? { ...point, did: "ran", calls: point.calls.map(ran) } : point;
  });
}

/** Where a binding failed: upstream's message names it, or the plugin does; a pod that was never let go failed at Permit. */
function failedPoint(points: readonly Point[], { permitted }: Binding, end: PodUnschedulable): string {
  const named = BINDING.find((name) => end.message.includes(`running ${name} plugin`));
  if (named) return named;
  if (!permitted && points.some((point) => point.name === "Permit" && point.did === "waits")) return "Permit";
  const refuses = (point: Point) => point.calls.some((call) => call.did !== "skipped" && end.plugins?.includes(call.plugin));
  return points.find((point) => point.did === "later" && refuses(point))?.name ?? "Bind";
}

/** Up to the plugin that failed; the others were not asked. */
function failedCalls(calls: readonly CallItem[], end: PodUnschedulable, did: Did, text: string): CallItem[] {
  const asked = calls.filter((call) => call.did !== "skipped");
  const names = (call: CallItem) => end.plugins?.includes(call.plugin) || end.message.includes(`"${call.plugin}"`);
  const guilty = asked.find(names) ?? (asked.length === 1 ? asked[0] : undefined);
  if (!guilty) return [...calls];
  const before = calls.slice(0, calls.indexOf(guilty));
  return [...before.map(ran), { ...guilty, did, text }];
}
