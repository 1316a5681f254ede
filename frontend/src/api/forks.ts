/** What can be done with a run: another future of it, a name, a note, an end. */

import { api, send } from "./client";
import type { EventsPage } from "./client";
import type { TraceEvent } from "./events.gen";
import type { Edit } from "./plans";

const JSON_TYPE = { "Content-Type": "application/json" };

/** Where a fork begins: just before a cycle, or at a virtual time. */
export type ForkAt = { cycle: number } | { t_us: number };

/** Starts another future of a run; its identifier. */
export async function forkRun(run: string, at: ForkAt, edits: readonly Edit[], name: string): Promise<string> {
  const body = JSON.stringify({ ...at, edits, ...(name ? { name } : {}) });
  const response = await send(`runs/${run}/fork`, { method: "POST", headers: JSON_TYPE, body });
  return ((await response.json()) as { id: string }).id;
}

/** Edits as sentences; what is wrong with them is an ApiError with fields such as `edits[2].replicas`. */
export async function tellEdits(edits: readonly Edit[], signal: AbortSignal): Promise<string[]> {
  const response = await send("edits", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ edits }), signal });
  return ((await response.json()) as { sentences: string[] }).sentences;
}

export interface RunChange {
  name?: string;
  note?: string;
  kept?: boolean;
}

export async function changeRun(run: string, change: RunChange): Promise<void> {
  await send(`runs/${run}`, { method: "PATCH", headers: JSON_TYPE, body: JSON.stringify(change) });
}

export async function deleteRun(run: string): Promise<void> {
  await send(`runs/${run}`, { method: "DELETE" });
}

/**
 * Hands on the events that a fork shares with its parent, as they are stored there: so they are here before it has come so
 * far. How many those were.
 */
export async function readShared(
  parent: string,
  shared: number,
  take: (events: TraceEvent[]) => void,
  fetchEvents: (after: number) => Promise<EventsPage> = (after) => api.events(parent, after),
): Promise<number> {
  let seen = 0;
  try {
    while (seen < shared) {
      const { events } = await fetchEvents(seen);
      const common = events.filter((event) => event.seq <= shared);
      const last = common[common.length - 1];
      if (!last) break;
      take(common);
      seen = last.seq;
    }
  } catch {
    // The run itself has them too, a little later.
  }
  return seen;
}
