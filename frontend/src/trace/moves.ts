/** The last moves between the queues before the playhead: who, from where to where, by which event, and what the plugins said. */

import type { PodEnqueued, RunStarted } from "../api/events.gen";
import { PodState } from "./pod_columns";
import type { RunStore } from "./run_store";

export interface Move {
  event: PodEnqueued;
  pod: number;
  /** The queue it came from; "" for a pod that has just arrived. */
  from: string;
}

const QUEUE_OF: Record<number, string> = {
  [PodState.ACTIVE]: "active",
  [PodState.BACKOFF]: "backoff",
  [PodState.UNSCHEDULABLE]: "unschedulable",
  [PodState.GATED]: "gated",
  [PodState.IN_FLIGHT]: "in flight",
  [PodState.ASSUMED]: "in flight",
  [PodState.WAITING]: "in flight",
};

/** So far back it looks for moves. */
const LOOKED_BACK = 600;

/** The newest moves first, one a pod: where it came from is known of its last one. */
export function lastMoves(store: RunStore, most: number): Move[] {
  const { state, words } = store;
  const { pods } = state;
  const moves: Move[] = [];
  const seen = new Set<number>();
  const end = Math.max(0, state.seq - LOOKED_BACK);
  for (let seq = state.seq; seq > end && moves.length < most; seq -= 1) {
    const event = store.event(seq);
    if (event?.type !== "PodEnqueued") continue;
    const pod = words.pods.find(event.pod);
    if (pod < 0 || seen.has(pod)) continue;
    seen.add(pod);
    const isLast = pods.entered[pod] === seq && QUEUE_OF[pods.state[pod]!] === event.queue;
    moves.push({ event, pod, from: isLast ? (QUEUE_OF[pods.previous[pod]!] ?? "") : "" });
  }
  return moves;
}

/** What may help a pod that waits: the changes that the plugins which refused it registered for. */
export function waitsFor(store: RunStore, plugins: readonly string[]): string[] {
  const first = store.event(1);
  const known = first?.type === "RunStarted" ? ((first as RunStarted).waits_for ?? {}) : {};
  return [...new Set(plugins.flatMap((plugin) => known[plugin] ?? []))];
}

/** The event that brought a pod into the queue where it is. */
export function entryOf(store: RunStore, pod: number): PodEnqueued | null {
  const event = store.event(store.state.pods.entered[pod] ?? 0);
  return event?.type === "PodEnqueued" ? event : null;
}
