/** Who came to a node and who left it, in order. */

import type { TraceEvent } from "../api/events.gen";
import type { RunStore } from "./run_store";

export interface NodeEvent {
  seq: number;
  tUs: number;
  kind: "came" | "left" | "evicted" | "promised" | "changed";
  pod: string;
  cycle: number;
}

export function nodeEvents(store: RunStore, node: string): NodeEvent[] {
  const found: NodeEvent[] = [];
  for (const event of store.log) {
    if (!("node" in event) || event.node !== node) continue;
    const kind = kindOf(event);
    if (kind) found.push({ seq: event.seq, tUs: event.t_us, kind, pod: "pod" in event ? event.pod : "", cycle: "cycle" in event ? event.cycle : 0 });
  }
  return found;
}

function kindOf(event: TraceEvent): NodeEvent["kind"] | null {
  switch (event.type) {
    case "PodBound":
      return "came";
    case "PodDeleted":
      return event.reason === "preempted" ? "evicted" : "left";
    case "PodNominated":
      return "promised";
    case "NodeAdded":
    case "NodeUpdated":
    case "NodeDeleted":
      return "changed";
    default:
      return null;
  }
}
