/** What each extension point did in a cycle, in a word or two. */

import type { TraceEvent } from "../api/events.gen";
import type { CycleDetail } from "../api/types";
import { count } from "../base/format";

export interface Step {
  name: string;
  did: string;
  state: "ran" | "refused" | "idle";
  /** More of it, for a tooltip. */
  more?: string;
}

export function stepsOf(detail: CycleDetail): Step[] {
  const scheduled = detail.result === "scheduled";
  const fits = detail.num_feasible > 0;
  const bindStep = (name: string): Step => ({ name, did: "", state: scheduled ? "ran" : "idle" });
  const permit = detail.pending_plugins.length > 0;
  return [
    prefilter(detail),
    {
      name: "Filter",
      did: detail.num_evaluated ? `${count(detail.num_feasible)} of ${count(detail.num_evaluated)}` : "",
      state: fits ? "ran" : Object.keys(detail.filters).length ? "refused" : "idle",
    },
    postfilter(detail, fits),
    { name: "PreScore", did: "", state: detail.scored.length > 1 ? "ran" : "idle" },
    score(detail),
    bindStep("Reserve"),
    { ...bindStep("Permit"), did: permit ? "waits" : "" },
    { name: "Bind", did: "", state: scheduled ? "ran" : detail.result === "error" ? "refused" : "idle" },
  ];
}

function prefilter(detail: CycleDetail): Step {
  const refused = detail.prefilter.find((one) => one.status !== undefined);
  if (refused) return { name: "PreFilter", did: refused.plugin, state: "refused" };
  const narrowed = detail.prefilter.find((one) => one.nodes !== undefined);
  if (narrowed) return { name: "PreFilter", did: `${count(narrowed.nodes!)} nodes`, state: "ran" };
  const skipped = detail.prefilter.filter((one) => one.skipped).map((one) => one.plugin);
  return { name: "PreFilter", did: "", state: "ran", more: skipped.length ? `Had nothing to do: ${skipped.join(", ")}` : "" };
}

function postfilter(detail: CycleDetail, fits: boolean): Step {
  if (fits) return { name: "PostFilter", did: "", state: "idle" };
  if (detail.victims.length) return { name: "PostFilter", did: `evicts ${detail.victims.length}`, state: "ran" };
  return { name: "PostFilter", did: "no help", state: "refused" };
}

function score(detail: CycleDetail): Step {
  if (detail.scored.length < 2) return { name: "Score", did: detail.num_feasible === 1 ? "one fits" : "", state: "idle" };
  const tied = detail.ties.length > 1 ? `${detail.ties.length} tied` : `best ${count(Math.max(...detail.total))}`;
  return { name: "Score", did: tied, state: "ran" };
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
