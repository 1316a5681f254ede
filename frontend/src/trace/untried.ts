/** Pods that no queue ever took: no profile has their schedulerName. */

import { isPending } from "./cluster_model";
import type { ClusterModel } from "./cluster_model";
import { PodState } from "./pod_columns";
import type { RunStore } from "./run_store";

export const NO_PROFILE = "no profile has its schedulerName";

/** The pending pods that a run has left alone; none before its last event is here. */
export function untriedOf(store: RunStore, model: ClusterModel | null): number[] {
  const { pods } = store.newest;
  const last = store.event(store.lastSeq);
  if (!model || last?.type !== "RunFinished" || last.num_pending === 0 || pods.counts[PodState.ABSENT] === 0) return [];
  const found = new Set<number>();
  for (let pod = 0; pod < pods.size; pod += 1) {
    const item = model.pods[pod];
    if (item && isPending(item) && pods.state[pod] === PodState.ABSENT) found.add(pod);
  }
  if (found.size === 0) return [];
  for (const event of store.log) {
    if (event.type === "AdmissionRefused") found.delete(store.words.pods.find(event.object.replace(/^Pod\//, "")));
  }
  return [...found];
}

/** Whether it is one of them. */
export const isUntried = (store: RunStore, model: ClusterModel | null, pod: number): boolean =>
  store.newest.pods.state[pod] === PodState.ABSENT && untriedOf(store, model).includes(pod);
