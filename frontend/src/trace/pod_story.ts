/** A pod's time as spans: in which queue or state it was from when to when, and what brought it there. */

import type { PodEnqueued, TraceEvent } from "../api/events.gen";
import type { GlyphName } from "../base/glyphs";
import type { RunStore } from "./run_store";

export type SpanKind = "gated" | "active" | "backoff" | "unschedulable" | "cycle" | "assumed" | "waiting" | "bound" | "deleting" | "gone";

export interface Span {
  kind: SpanKind;
  /** The event that began it; the next one's began when this ended. */
  seq: number;
  fromUs: number;
  /** Where it goes on at the end of the run: null. */
  toUs: number | null;
  /** The cycle it is, or 0. */
  cycle: number;
  node: string;
  /** How a cycle ended. */
  failed: boolean;
  entered: PodEnqueued | null;
}

export const SPAN_GLYPH: Record<SpanKind, GlyphName> = {
  gated: "gated",
  active: "active",
  backoff: "backoff",
  unschedulable: "unschedulable",
  cycle: "flight",
  assumed: "assumed",
  waiting: "assumed",
  bound: "bound",
  deleting: "victim",
  gone: "victim",
};

export const SPAN_WORDS: Record<SpanKind, string> = {
  gated: "gated",
  active: "active",
  backoff: "backoff",
  unschedulable: "waiting",
  cycle: "cycle",
  assumed: "being bound",
  waiting: "waits at Permit",
  bound: "bound",
  deleting: "being deleted",
  gone: "gone",
};

/** All spans of a pod, in order, from the whole trace. */
export function podSpans(store: RunStore, key: string): Span[] {
  const spans: Span[] = [];
  for (const event of store.log) {
    if (!("pod" in event) || event.pod !== key) continue;
    step(spans, event);
  }
  return spans;
}

function step(spans: Span[], event: TraceEvent): void {
  const open = (kind: SpanKind, more: Partial<Span> = {}): void => {
    const last = spans[spans.length - 1];
    if (last && last.toUs === null) last.toUs = event.t_us;
    spans.push({ kind, seq: event.seq, fromUs: event.t_us, toUs: null, cycle: 0, node: "", failed: false, entered: null, ...more });
  };
  const last = spans[spans.length - 1];
  switch (event.type) {
    case "PodEnqueued":
      open(event.queue, { entered: event });
      break;
    case "CycleStarted":
      open("cycle", { cycle: event.cycle });
      break;
    case "PodUnschedulable":
      for (const span of spans) if (span.cycle === event.cycle) span.failed = true;
      break;
    case "PodAssumed":
      open("assumed", { cycle: event.cycle, node: event.node });
      break;
    case "PodWaiting":
      open("waiting", { cycle: event.cycle, node: event.node });
      break;
    case "PodPermitted":
      open("assumed", { cycle: event.cycle, node: event.node });
      break;
    case "PodBound":
      open("bound", { cycle: event.cycle, node: event.node });
      break;
    case "PodDeleted":
      open("gone");
      break;
    case "PodDequeued":
      if (event.reason === "deleting") open("deleting");
      else if (event.reason !== "bound" && last?.kind !== "gone") open("gone");
      break;
    default:
  }
}

/** The span at a moment; null before the first. */
export function spanAt(spans: readonly Span[], seq: number): Span | null {
  let found: Span | null = null;
  for (const span of spans) {
    if (span.seq > seq) break;
    found = span;
  }
  return found;
}
