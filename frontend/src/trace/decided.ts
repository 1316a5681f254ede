/** How far a run got that did not end by itself: who was decided, and who was never tried. */

import { isPending } from "./cluster_model";
import type { ClusterModel } from "./cluster_model";
import { PodState } from "./pod_columns";
import type { RunStore } from "./run_store";

export interface Decided {
  placed: number;
  /** Tried, and without a node so far. */
  refused: number;
  /** No attempt of theirs has ended. */
  untried: number;
}

const QUEUED: ReadonlySet<number> = new Set([PodState.ACTIVE, PodState.BACKOFF, PodState.UNSCHEDULABLE, PodState.GATED]);

export function decidedOf(store: RunStore, model: ClusterModel | null): Decided {
  const { pods } = store.newest;
  let refused = 0;
  let untried = 0;
  for (let pod = 0; pod < pods.size; pod += 1) {
    const state = pods.state[pod]!;
    const ended = QUEUED.has(state) ? pods.attempts[pod]! : pods.attempts[pod]! - 1;
    if (QUEUED.has(state) || state === PodState.IN_FLIGHT) {
      if (ended > 0) refused += 1;
      else untried += 1;
    } else if (state === PodState.ABSENT) {
      const item = model?.pods[pod];
      if (item && isPending(item)) untried += 1;
    }
  }
  return { placed: store.placed.size, refused, untried };
}
