/** The extension points of a cycle; how its binding ended, `binding.ts` adds. */

import type { TraceEvent } from "../api/events.gen";
import type { CallItem, Did } from "../api/detail";

export interface Point {
  name: string;
  /** "" where the cycle did not get there. */
  did: Did | "";
  text: string;
  /** The text where there is little room. */
  short?: string;
  calls: readonly CallItem[];
}

/** What stands beside a point's name: short, the whole is in the panel. */
export function shortText(point: Point): string {
  const { text } = point;
  if (point.short !== undefined) return point.short;
  if (point.did === "waits") return "waits";
  if (point.did === "later") return "";
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
