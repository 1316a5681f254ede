import { describe, expect, test } from "vitest";
import type { EventsPage } from "../../src/api/client";
import type { TraceEvent } from "../../src/api/events.gen";
import { readShared } from "../../src/api/forks";

/** Pages of three of a parent's ten events. */
const page = async (after: number): Promise<EventsPage> => {
  const seqs = [1, 2, 3].map((at) => after + at).filter((seq) => seq <= 10);
  return { events: seqs.map((seq) => ({ seq }) as TraceEvent), last_seq: 10, status: "finished" };
};

describe("what a fork shares with its parent", () => {
  test("is read page by page, and no event beyond it", async () => {
    const taken: number[] = [];
    const seen = await readShared("parent", 7, (events) => taken.push(...events.map((event) => event.seq)), page);
    expect([seen, taken]).toEqual([7, [1, 2, 3, 4, 5, 6, 7]]);
  });

  test("is read as far as it is there", async () => {
    const failing = async (after: number): Promise<EventsPage> => {
      if (after >= 3) throw new Error("gone");
      return page(after);
    };
    expect(await readShared("parent", 7, () => undefined, failing)).toBe(3);
    expect(await readShared("parent", 12, () => undefined, page)).toBe(10);
  });
});
