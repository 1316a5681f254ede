/**
 * Breakpoints: what a trace is searched for. One goes over the events in order and notes where it is met, so that the next
 * and the last place, how many there are, and marks on the track are all read from one list.
 */

import type { TraceEvent } from "../api/events.gen";
import type { RunStore } from "./run_store";

export const BREAK_KINDS = ["rejects", "backoff", "preemption", "tie", "margin", "event"] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

export interface Breakpoint {
  kind: BreakKind;
  /** A plugin, a pod's key, a number or an event's type; "" stands for any. */
  what: string;
}

/** "rejects:NodeResourcesFit" as the address has it. */
export const breakText = (point: Breakpoint): string => (point.what ? `${point.kind}:${point.what}` : point.kind);

export function readBreak(text: string | null): Breakpoint | null {
  if (!text) return null;
  const at = text.indexOf(":");
  const kind = (at < 0 ? text : text.slice(0, at)) as BreakKind;
  return BREAK_KINDS.includes(kind) ? { kind, what: at < 0 ? "" : text.slice(at + 1) } : null;
}

type Test = (event: TraceEvent) => boolean;

function testOf(point: Breakpoint): Test {
  const { what } = point;
  switch (point.kind) {
    case "rejects":
      return refuses(what);
    case "backoff":
      return leavesBackoff(what);
    case "preemption":
      return (event) => event.type === "VictimsSelected";
    case "tie":
      return (event) => event.type === "NodesScored" && event.num_ties > 1;
    case "margin":
      return (event) => event.type === "NodesScored" && marginOf(event.scores) < (Number(what) || 1);
    case "event":
      return (event) => what === "" || event.type === what;
  }
}

/** Told by the counts after the filters; an attempt that ended before them tells only who ended it. */
function refuses(plugin: string): Test {
  let counted = 0;
  return (event) => {
    if (event.type === "NodesFiltered") {
      counted = event.cycle;
      const rejected = event.rejected ?? {};
      return plugin ? (rejected[plugin] ?? 0) > 0 : Object.keys(rejected).length > 0;
    }
    if (event.type !== "PodUnschedulable" || event.cycle === counted) return false;
    return plugin ? (event.plugins ?? []).includes(plugin) : true;
  };
}

/** A pod leaves backoff with the first event that puts it elsewhere. */
function leavesBackoff(pod: string): Test {
  const waiting = new Set<string>();
  return (event) => {
    if (!("pod" in event) || (pod && event.pod !== pod)) return false;
    if (event.type === "PodEnqueued" && event.queue === "backoff") {
      waiting.add(event.pod);
      return false;
    }
    const leaves = event.type === "PodEnqueued" || event.type === "CycleStarted" || event.type === "PodDequeued" || event.type === "PodDeleted";
    return leaves && waiting.delete(event.pod);
  };
}

/** By how much the best node won; Infinity where there was no second. */
function marginOf(scores: readonly (readonly [string, number])[]): number {
  const [first, second] = scores;
  return first && second ? first[1] - second[1] : Infinity;
}

export class BreakSearch {
  /** Sequence numbers of the events that meet it, in order. */
  readonly found: number[] = [];
  private seen = 0;
  private readonly test: Test;

  constructor(readonly point: Breakpoint) {
    this.test = testOf(point);
  }

  /** Looks at what has come since. */
  update(store: RunStore): void {
    for (; this.seen < store.lastSeq; this.seen += 1) {
      const event = store.log[this.seen]!;
      if (this.test(event)) this.found.push(event.seq);
    }
  }

  /** The first one after an event, 0 if there is none. */
  after(seq: number): number {
    return this.found[this.place(seq + 1)] ?? 0;
  }

  /** The last one before an event, 0 if there is none. */
  before(seq: number): number {
    return this.found[this.place(seq) - 1] ?? 0;
  }

  /** How many come before an event. */
  place(seq: number): number {
    let low = 0;
    let high = this.found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.found[middle]! < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
