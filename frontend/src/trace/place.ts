/**
 * Where the playhead stands, in words that mean the same whenever the page is opened: a cycle's end by its number, anything
 * else by its event, and between two events by the plugins asked since.
 */

import type { RunStore } from "./run_store";

export interface Place {
  /** 0 is before the first cycle; null goes along with the newest event. */
  cycle: number | null;
  /** The event it stands at, where that is not the end of the cycle. */
  at: number | null;
  /** So many plugins asked since that event; null for none. */
  stop: number | null;
}

/**
 * The place of the playhead. `whole` says that no event is to come: only then has the last cycle an end, for what follows
 * a cycle up to the next one belongs to it.
 */
export function placeOf(store: RunStore, whole: boolean): Place {
  if (store.live) return { cycle: null, at: null, stop: null };
  const { cycle } = store;
  const closed = whole || cycle < store.cycles.size;
  const { stop } = store;
  return { cycle, at: closed && !stop && store.endOf(cycle) === store.state.seq ? null : store.state.seq, stop: stop || null };
}

/** Whether enough events are here to stand at a place. */
export function isHere(store: RunStore, { cycle, at }: Place, whole: boolean): boolean {
  if (whole) return true;
  return at !== null ? store.lastSeq >= at : cycle === null || store.cycles.size > cycle;
}

/** Moves the playhead to a place. */
export function goTo(store: RunStore, { cycle, at, stop }: Place): void {
  if (at !== null) store.seek(at);
  else if (cycle !== null) store.seekCycle(cycle);
  else store.follow();
  if (at !== null) store.stop = stop ?? 0;
}
