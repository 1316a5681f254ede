/** What a what-if's answer says of one pod. */

import type { Changes } from "../api/plans";
import type { PodItem } from "../api/types";
import { podKey } from "./cluster_model";

/** Where a pod goes with the edits, or why it goes nowhere. `pod` is as the answer leaves it. */
export function placeInWhatIf(changes: Changes, pod: PodItem): string {
  const key = podKey(pod);
  const moved = changes.moved.find((one) => (one.instead || one.pod) === key);
  if (moved) return `With these edits it moves from ${moved.before} to ${moved.after}.`;
  if ([...changes.rescued, ...changes.new].some((one) => one.pod === key)) return `With these edits it is placed on ${pod.node}.`;
  const pending = changes.newly_pending.find((one) => one.pod === key);
  if (pending) return `With these edits it has no node: ${pending.message}`;
  return pod.node ? `It stays on ${pod.node}.` : "It stays pending.";
}
