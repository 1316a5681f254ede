/** What a pod belongs to, as far as edits go. */

import type { PodItem } from "../api/types";

const SCALED = new Set(["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"]);

/** The workload that a pod's number is set by, as an edit names it; nothing where no edit can scale it. */
export function workloadOf(pod: PodItem): string {
  const [kind = "", name = ""] = pod.owner.split("/");
  const hash = pod.labels["pod-template-hash"];
  if (kind === "ReplicaSet" && hash && name.endsWith(`-${hash}`)) return `Deployment/${pod.namespace}/${name.slice(0, -hash.length - 1)}`;
  return SCALED.has(kind) ? `${kind}/${pod.namespace}/${name}` : "";
}

/** How many pods have a pod's owner, itself included. */
export function siblings(pods: readonly (PodItem | undefined)[], pod: PodItem): number {
  return pods.reduce((sum, each) => sum + (each?.owner === pod.owner && each.namespace === pod.namespace ? 1 : 0), 0);
}
