/** What can be placed again and again: a pod of each workload of the cluster, or pods that are written. */

import type { PodItem } from "../api/types";
import { podKey } from "./cluster_model";

export interface Choice {
  /** A pod that stands for all of them, as namespace/name. */
  like: string;
  name: string;
  pods: number;
}

const HASH = /-[a-z0-9]{5,10}$/;
const PLACED = new Set(["Pod", "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "Job", "CronJob"]);
const NOT_PLACED = new Set(["DaemonSet", "Node"]);

/** One choice a workload, and one for each pod without an owner; those with most pods first. */
export function choicesOf(pods: readonly (PodItem | undefined)[]): Choice[] {
  const found = new Map<string, Choice>();
  for (const pod of pods) {
    if (!pod) continue;
    const [kind = "", owner = ""] = pod.owner.split("/");
    if (NOT_PLACED.has(kind)) continue;
    const name = kind === "ReplicaSet" && pod.labels["pod-template-hash"] ? owner.replace(HASH, "") : owner;
    const shown = name ? `${pod.namespace}/${name}` : podKey(pod);
    const known = found.get(shown);
    if (known) known.pods += 1;
    else found.set(shown, { like: podKey(pod), name: shown, pods: 1 });
  }
  return [...found.values()].sort((a, b) => b.pods - a.pods || a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Why an object cannot be placed again and again; nothing where it is a pod or a workload. */
export function whyNotPlaced(object: Record<string, unknown>): string {
  const kind = String(object["kind"]);
  if (kind === "DaemonSet") return "A DaemonSet puts one pod on each node, however many fit: apply it as a change to see which nodes take it.";
  return PLACED.has(kind) ? "" : `${kind} ${(object["metadata"] as { name?: string } | undefined)?.name ?? ""}`.trim() + " is neither a pod nor a workload.";
}

/** How often each comes in a round: replicas without what they have in common. */
export function ratioOf(objects: readonly Record<string, unknown>[]): number[] {
  const replicas = objects.map((one) => Number((one["spec"] as { replicas?: number } | undefined)?.replicas ?? 1));
  const shared = replicas.reduce(divisor, 0) || 1;
  return replicas.map((one) => one / shared);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
