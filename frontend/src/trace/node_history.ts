/** What nodes were when: edits add and change them in the run, and the map shows them as they are at the playhead. */

import type { NodeAdded, NodeUpdated, TraceEvent } from "../api/events.gen";
import type { NodeItem } from "../api/types";

type Told = NodeAdded | NodeUpdated;

interface Version {
  /** From this event on. */
  seq: number;
  item: NodeItem | undefined;
}

export class NodeHistory {
  private readonly versions = new Map<number, Version[]>();
  private shown = new Map<number, number>();

  /** Notes what an event says of a node; `known` is what it was before the run. */
  take(node: number, event: Told, known: NodeItem | undefined): void {
    if (event.allocatable === undefined) return;
    const kept = this.versions.get(node) ?? [{ seq: 0, item: known }];
    kept.push({ seq: event.seq, item: itemOf(event) });
    this.versions.set(node, kept);
  }

  /** Puts the versions of a moment into `nodes`; returns whether any is another one than before. */
  moveTo(seq: number, nodes: (NodeItem | undefined)[]): boolean {
    let moved = false;
    for (const [node, versions] of this.versions) {
      const at = versions.findLastIndex((version) => version.seq <= seq);
      if (this.shown.get(node) === at) continue;
      this.shown.set(node, at);
      nodes[node] = versions[at]?.item;
      moved = true;
    }
    return moved;
  }
}

export function isTold(event: TraceEvent): event is Told {
  return event.type === "NodeAdded" || event.type === "NodeUpdated";
}

function itemOf(event: Told): NodeItem {
  const taints = (event.taints ?? []).map((text) => {
    const end = text.lastIndexOf(":");
    const [key = "", value = ""] = text.slice(0, end).split("=");
    return { key, value, effect: text.slice(end + 1) };
  });
  return { name: event.node, labels: event.labels ?? {}, taints, unschedulable: event.unschedulable ?? false, ready: event.ready ?? true, allocatable: event.allocatable ?? {} };
}
