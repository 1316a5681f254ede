/** The extension points of a cycle, as its detail tells them and as its later events complete them. */

import type { TraceEvent } from "../api/events.gen";
import type { CallItem, CycleDetail, Did, PointItem } from "../api/detail";

export interface Point {
  name: string;
  /** "" where the cycle did not get there. */
  did: Did | "";
  text: string;
  calls: readonly CallItem[];
}

/** The binding cycle ends after the scheduling cycle's detail is written: `bound` says that it did. */
export function pointsOf(detail: CycleDetail, bound: boolean): Point[] {
  return detail.points.map((point) => ({
    name: point.name,
    did: point.did === "later" && bound ? "ran" : (point.did ?? ""),
    text: point.text ?? "",
    calls: (point.calls ?? []).map((call) => (call.did === "later" && bound ? { ...call, did: "ran" as const } : call)),
  }));
}

/** What stands beside a point's name: short, the whole is in the panel. */
export function shortText(point: PointItem | Point): string {
  const text = point.text ?? "";
  if (point.did === "waits") return "waits";
  if (point.name === "PostFilter" && point.did === "refused") return "no help";
  if (point.did === "refused" || point.did === "error") return text.length > 28 ? "" : text;
  return text.startsWith("one node fits") ? "one fits" : text;
}

/** What the calls of a point come to: "3 ran, 7 skipped". */
export function tally(calls: readonly CallItem[]): string {
  const counts = new Map<Did, number>();
  for (const call of calls) counts.set(call.did ?? "ran", (counts.get(call.did ?? "ran") ?? 0) + 1);
  return [...counts].map(([did, number]) => `${number} ${did === "later" ? "to come" : did}`).join(", ");
}

const POINT_OF: Partial<Record<TraceEvent["type"], string>> = {
  CycleStarted: "PreFilter",
  NodesFiltered: "Filter",
  VictimsSelected: "PostFilter",
  PodNominated: "PostFilter",
  NodesScored: "Score",
  PodAssumed: "Reserve",
  PodWaiting: "Permit",
  PodPermitted: "Permit",
  PodBound: "Bind",
};

/** The extension point that an event came from. */
export function pointOf(event: TraceEvent | undefined): string {
  return event ? (POINT_OF[event.type] ?? "") : "";
}
