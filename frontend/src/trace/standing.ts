/** Where pods stand at the playhead, as every view counts and names them. */

import type { RunState } from "./apply";
import type { ClusterModel } from "./cluster_model";
import { NUM_STATES, PodState } from "./pod_columns";

/** Shown instead of a state that takes room: nothing is heard of the pod's node, or it is no more. */
export const ON_LOST_NODE = NUM_STATES;

/** A pod's state as it is shown. */
export function shownState(model: ClusterModel | null, state: RunState, pod: number): number {
  const { pods } = state;
  if (!pods.occupies(pod)) return pods.state[pod] ?? PodState.ABSENT;
  const node = pods.nodeOf(pod);
  return state.goneNodes.has(node) || model?.isLost(node) ? ON_LOST_NODE : pods.state[pod]!;
}

/** How many pods are bound to nodes that answer, and how many to others. */
export function boundCounts(model: ClusterModel | null, state: RunState): { bound: number; lost: number } {
  const { pods } = state;
  let lost = 0;
  if (state.goneNodes.size || model?.hasLost) {
    for (let pod = 0; pod < pods.size; pod += 1) {
      if (pods.state[pod] === PodState.BOUND && shownState(model, state, pod) === ON_LOST_NODE) lost += 1;
    }
  }
  return { bound: pods.counts[PodState.BOUND]! - lost, lost };
}
