/** Why a pod waits, in few words: its last failure, else who holds it. */

import { list, reasonOf } from "../base/format";
import type { RunState } from "../trace/apply";
import type { RunStore } from "../trace/run_store";

export function whyWaiting(store: RunStore, state: RunState, pod: number): string {
  const failed = store.event(state.pods.failed[pod]!);
  if (failed?.type === "PodUnschedulable") return reasonOf(failed.message);
  const entered = store.event(state.pods.entered[pod]!);
  const plugins = entered?.type === "PodEnqueued" ? (entered.plugins ?? []) : [];
  return plugins.length ? `held by ${list(plugins)}` : "";
}
