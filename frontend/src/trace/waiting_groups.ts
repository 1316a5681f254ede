/** Pods that wait, grouped by what they belong to and why: one line for a hundred alike. */

import type { PodItem } from "../api/types";
import { workloadOf } from "./workload";

export interface Waiting {
  /** "namespace/name". */
  readonly pod: string;
  /** "kind/namespace/name" of the workload; nothing for a pod that stands alone. */
  readonly owner: string;
  readonly reason: string;
}

export interface WaitingGroup {
  readonly owner: string;
  readonly reason: string;
  readonly pods: string[];
}

/** Groups of the same owner and reason, the largest first, else as they came. */
export function groupsOf(waiting: Iterable<Waiting>): WaitingGroup[] {
  const groups = new Map<string, WaitingGroup>();
  for (const { pod, owner, reason } of waiting) {
    const key = JSON.stringify([owner || pod, reason]);
    const known = groups.get(key);
    if (known) known.pods.push(pod);
    else groups.set(key, { owner, reason, pods: [pod] });
  }
  return [...groups.values()].sort((a, b) => b.pods.length - a.pods.length);
}

/** What a pod is grouped by, as "kind/namespace/name": its workload, its owner, else its name without a number at the end. */
export function ownerOf(pod: PodItem): string {
  const workload = workloadOf(pod);
  if (workload) return workload;
  const [kind, name] = pod.owner.split("/");
  if (kind && name) return `${kind}/${pod.namespace}/${name}`;
  const stem = /^(.+-)\d+$/.exec(pod.name)?.[1];
  return stem ? `Pod/${pod.namespace}/${stem}*` : "";
}
