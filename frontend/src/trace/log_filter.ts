/** Which events the log shows: of a kind, with a text in them, of one pod. Looked through once, then only what has come since. */

import type { TraceEvent } from "../api/events.gen";
import { describe } from "./event_words";
import type { RunStore } from "./run_store";

export const LOG_KINDS = ["all", "queue", "cycle", "binding", "preemption", "cluster"] as const;
export type LogKind = (typeof LOG_KINDS)[number];

const KIND_OF: Partial<Record<TraceEvent["type"], LogKind>> = {
  PodEnqueued: "queue",
  PodDequeued: "queue",
  CycleStarted: "cycle",
  NodesFiltered: "cycle",
  NodesScored: "cycle",
  PodUnschedulable: "cycle",
  PodAssumed: "binding",
  PodWaiting: "binding",
  PodPermitted: "binding",
  PodBound: "binding",
  VictimsSelected: "preemption",
  PodNominated: "preemption",
};

export interface LogQuery {
  kind: LogKind;
  text: string;
}

export function kindOf(event: TraceEvent): LogKind {
  if (event.type === "PodDeleted" && event.reason === "preempted") return "preemption";
  return KIND_OF[event.type] ?? "cluster";
}

export class LogFilter {
  /** Sequence numbers of what is shown, in order. */
  readonly shown: number[] = [];
  private seen = 0;
  private readonly words: string[];

  constructor(readonly query: LogQuery) {
    this.words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  update(store: RunStore): void {
    for (; this.seen < store.lastSeq; this.seen += 1) {
      const event = store.log[this.seen]!;
      if (this.matches(event)) this.shown.push(event.seq);
    }
  }

  private matches(event: TraceEvent): boolean {
    if (this.query.kind !== "all" && kindOf(event) !== this.query.kind) return false;
    if (this.words.length === 0) return true;
    const text = `${event.type} ${"pod" in event ? event.pod : ""} ${describe(event)}`.toLowerCase();
    return this.words.every((word) => text.includes(word));
  }

  /** Place of the last one at or before an event; −1 before the first. */
  placeOf(seq: number): number {
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle]! <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
