import { describe, expect, test } from "vitest";
import { goTo, isHere, placeOf } from "../../src/trace/place";
import type { Place } from "../../src/trace/place";
import { RunStore } from "../../src/trace/run_store";
import { recorded, storeOf } from "../fixtures";

/** Opens a place while the events come in batches, as the page does; where the playhead stands at the end. */
function opened(events: ReturnType<typeof recorded>["events"], place: Place, size: number): number {
  const store = new RunStore();
  let waits = true;
  const look = (whole: boolean) => {
    if (!waits || !isHere(store, place, whole)) return;
    waits = false;
    goTo(store, place);
  };
  look(false);
  for (let at = 0; at < events.length; at += size) {
    store.append(events.slice(at, at + size));
    look(false);
  }
  look(true);
  return store.state.seq;
}

describe("a place opened again", () => {
  test.each(["eighth-replica", "four-reasons", "evicted"] as const)("is the very event, for each event of %s and however they come in", (name) => {
    const { events } = recorded(name);
    const { store } = storeOf(recorded(name));
    for (let seq = 0; seq <= events.length; seq += 1) {
      store.seek(seq);
      const place = placeOf(store, true);
      for (const size of [1, 2, 5, events.length]) expect([seq, size, opened(events, place, size)]).toEqual([seq, size, seq]);
    }
  });

  test("noted while the run goes on is the same when it has ended", () => {
    const { events } = recorded("evicted");
    const store = new RunStore();
    for (const event of events) {
      store.append([event]);
      store.seek(event.seq);
      expect(opened(events, placeOf(store, false), 3)).toBe(event.seq);
    }
  });

  test("before the first cycle waits for that cycle, and in a run without one for the end", () => {
    const { events } = recorded("evicted");
    const begins = events.findIndex((event) => event.type === "CycleStarted");
    expect(begins).toBeGreaterThan(1);
    expect(opened(events, { cycle: 0, at: null, stop: null }, 1)).toBe(begins);
    expect(opened(events.slice(0, begins), { cycle: 0, at: null, stop: null }, 1)).toBe(begins);
  });

  test("names the cycle alone at its end, and goes along where the page does", () => {
    const { store } = storeOf(recorded("eighth-replica"));
    expect(placeOf(store, true)).toEqual({ cycle: null, at: null, stop: null });
    store.seekCycle(3);
    expect(placeOf(store, true)).toEqual({ cycle: 3, at: null, stop: null });
    store.seek(store.state.seq - 1);
    expect(placeOf(store, true)).toEqual({ cycle: 3, at: store.state.seq, stop: null });
    store.seek(1);
    expect(placeOf(store, true)).toEqual({ cycle: 0, at: 1, stop: null });
  });

  test("between two events counts the plugins asked since the first", () => {
    const { store } = storeOf(recorded("evicted"));
    store.seek(3);
    store.stop = 2;
    expect(placeOf(store, true)).toEqual({ cycle: 1, at: 3, stop: 2 });
    store.seek(4);
    expect(store.stop).toBe(0);
    goTo(store, { cycle: 1, at: 3, stop: 2 });
    expect([store.state.seq, store.stop]).toEqual([3, 2]);
    store.seed({ pods: [], nodes: [] });
    expect([store.state.seq, store.stop]).toEqual([3, 2]);
  });
});
