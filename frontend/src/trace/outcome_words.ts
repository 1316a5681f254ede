/** How a run went, in the few words that the server's pages have for it too. */

import type { RunStatus } from "../api/types";
import { counted } from "../base/format";
import type { RunStore } from "./run_store";

/** Nothing while the end of a run that is over is not here yet. */
export function outcomeWords(status: RunStatus | undefined, store: RunStore, isComplete: boolean): string {
  const cycles = counted(store.cycles.size, "cycle");
  if (status === undefined || status === "pending") return "";
  if (status === "running") return `is placing, ${cycles} so far`;
  if (!isComplete) return "";
  if (status !== "finished") return `${status} after ${cycles}`;
  const last = store.event(store.lastSeq);
  const pending = last?.type === "RunFinished" ? last.num_pending : 0;
  return `${pending ? `${counted(pending, "pod")} pending` : "nothing pending"}, ${cycles}`;
}
