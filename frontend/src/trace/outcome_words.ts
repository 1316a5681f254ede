/** How a run went, in the few words that the server's pages have for it too. */

import type { RunInfo } from "../api/types";
import { counted } from "../base/format";
import type { RunStore } from "./run_store";

/** Nothing while the end of a run that is over is not here yet. */
export function outcomeWords({ status, headline }: Pick<Partial<RunInfo>, "status" | "headline">, store: RunStore, isComplete: boolean): string {
  const cycles = counted(store.cycles.size, "cycle");
  if (status === undefined || status === "pending") return "";
  if (status === "running") return `is placing, ${cycles} so far`;
  if (!isComplete) return "";
  if (status !== "finished") return `${status} after ${cycles}`;
  return `${headline?.[0]?.text ?? "Ended"}, ${cycles}`;
}
