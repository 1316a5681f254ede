import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { Alignment, Kind, PlaceDifference } from "../../src/trace/alignment";
import { RunStore } from "../../src/trace/run_store";

/** A run of attempts such as "a n1" (placed there) or "a" (refused). */
function runOf(...attempts: string[]): RunStore {
  const store = new RunStore();
  store.seed({ nodes: ["n1", "n2"], pods: [{ key: "a", node: null, priority: 0, finished: false }, { key: "b", node: null, priority: 0, finished: false }] });
  let seq = 0;
  const tries: Record<string, number> = {};
  const events = attempts.flatMap((text, at) => {
    const [pod = "", node] = text.split(" ");
    const cycle = at + 1;
    const common = { t_us: cycle * 1000, cycle, pod };
    const attempt = (tries[pod] = (tries[pod] ?? 0) + 1);
    return [
      { seq: ++seq, ...common, type: "CycleStarted", attempt },
      node ? { seq: ++seq, ...common, type: "PodAssumed", node } : { seq: ++seq, ...common, type: "PodUnschedulable", message: "no", plugins: [] },
    ] as TraceEvent[];
  });
  store.append(events);
  return store;
}

function aligned(one: RunStore, other: RunStore, ended: [boolean, boolean] = [true, true]): [number, number, number][] {
  const alignment = new Alignment(one, other);
  alignment.update(...ended);
  return [...alignment.kind].map((kind, at) => [alignment.before[at]!, alignment.after[at]!, kind]);
}

describe("two runs beside each other", () => {
  it("have a cell a cycle, coloured by how they differ", () => {
    const cells = aligned(runOf("a n1", "b n1", "c", "d n1"), runOf("a n1", "b n2", "c n1", "d"));
    expect(cells).toEqual([
      [1, 1, Kind.SAME],
      [2, 2, Kind.MOVED],
      [3, 3, Kind.RESCUED],
      [4, 4, Kind.PENDING],
    ]);
  });

  it("have attempts of the same pod in one cell, whatever their order, and what one alone has in its own", () => {
    const cells = aligned(runOf("a n1", "b", "c n1", "b n2"), runOf("a n1", "c n1", "b", "d n2"));
    expect(cells).toEqual([
      [1, 1, Kind.SAME],
      [3, 2, Kind.SAME],
      [2, 3, Kind.SAME],
      [4, 0, Kind.BEFORE],
      [0, 4, Kind.AFTER],
    ]);
  });

  it("say where the first difference is and the next ones are", () => {
    const alignment = new Alignment(runOf("a n1", "b n1", "c n1", "d n1"), runOf("a n1", "b n2", "c n1", "d n2"));
    alignment.update(true, true);
    expect([alignment.first, alignment.nextDifference(2, 1), alignment.nextDifference(2, -1), alignment.nextDifference(4, -1)]).toEqual([2, 4, 0, 2]);
    expect([...alignment.counts]).toEqual([2, 2, 0, 0, 0, 0, 0, 0]);
    expect(alignment.cyclesAt(3)).toEqual([3, 3]);
    expect(alignment.cellOf(0, 4)).toBe(4);
  });

  it("are not said to differ where one has not come so far", () => {
    const short = runOf("a n1");
    expect(aligned(runOf("a n1", "b n1"), short, [true, false])).toEqual([
      [1, 1, Kind.SAME],
      [2, 0, Kind.NOT_YET],
    ]);
    expect(aligned(runOf("a n1", "b n1"), short)[1]).toEqual([2, 0, Kind.BEFORE]);
    expect(aligned(runOf(), runOf())).toEqual([]);
  });

  it("stay quick with tens of thousands of cycles", () => {
    const many = Array.from({ length: 30_000 }, (_, at) => `p${at} n${1 + (at % 2)}`);
    const other = [...many.slice(0, 20_000), "x n1", ...many.slice(20_000).reverse()];
    const alignment = new Alignment(runOf(...many), runOf(...other));
    alignment.update(true, true);
    expect([alignment.size, alignment.first, alignment.counts[Kind.SAME]]).toEqual([30_001, 20_001, 30_000]);
  });

  it("tell per node who came and who left", () => {
    const [one, other] = [runOf("a n1", "b n1"), runOf("a n1", "b n2", "new n2")];
    expect(new PlaceDifference(one, other).now()).toEqual(
      new Map([
        ["n1", { came: 0, left: 1 }],
        ["n2", { came: 2, left: 0 }],
      ]),
    );
  });
});
