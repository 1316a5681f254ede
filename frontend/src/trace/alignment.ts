/**
 * The cycles of two runs side by side: a cell a cycle, attempts of the same pod beside each other, what only one run has in a
 * cell of its own. Up to where the runs part cell n is cycle n of both.
 */

import { CycleResult } from "./cycle_index";
import type { CycleRow } from "./cycle_index";
import type { Names } from "./names";
import type { RunStore } from "./run_store";

/** How a cell differs. NOT_YET: one run has not come so far. */
export const Kind = { SAME: 0, MOVED: 1, PENDING: 2, RESCUED: 3, VICTIMS: 4, BEFORE: 5, AFTER: 6, NOT_YET: 7 } as const;
export const NUM_KINDS = 8;

export const isDifferent = (kind: number): boolean => kind !== Kind.SAME && kind !== Kind.NOT_YET;

/** Attempts of a pod that comes back under its name are told apart. */
const COMES_BACK = 2 ** 41;
const ATTEMPTS = 2 ** 20;

/** Ids of one vocabulary in another. */
export class Matched {
  private readonly known: number[] = [];

  constructor(
    private readonly from: Names,
    private readonly to: Names,
  ) {}

  at(id: number): number {
    const known = this.known[id];
    if (known !== undefined && known >= 0) return known;
    return (this.known[id] = id < 0 ? -1 : this.to.find(this.from.name(id)));
  }
}

export class Alignment {
  /** Cycle of each run, 0 where it has none. */
  before = new Int32Array(0);
  after = new Int32Array(0);
  kind = new Uint8Array(0);
  readonly counts = new Int32Array(NUM_KINDS);
  /** The first cell that differs, counted from 1; 0 for none. */
  first = 0;
  private upTo = [new Int32Array(1), new Int32Array(1)] as [Int32Array, Int32Array];
  private made = "";
  private readonly pods: Matched;
  private readonly nodes: Matched;

  constructor(
    private readonly one: RunStore,
    private readonly other: RunStore,
  ) {
    this.pods = new Matched(one.words.pods, other.words.pods);
    this.nodes = new Matched(one.words.nodes, other.words.nodes);
  }

  get size(): number {
    return this.kind.length;
  }

  /** Cycles of both runs at a cell, counted from 1: where a run has none there, its last one before. */
  cyclesAt(cell: number): [number, number] {
    const at = Math.max(0, Math.min(cell, this.size));
    return [this.upTo[0][at]!, this.upTo[1][at]!];
  }

  /** The cell of a cycle of the second run, else of the first one; 0 where there is none. */
  cellOf(before: number, after: number): number {
    const found = after ? this.after.indexOf(after) : -1;
    return (found >= 0 ? found : before ? this.before.indexOf(before) : -1) + 1;
  }

  /** The next cell that differs, or the last one before; 0 where there is none. */
  nextDifference(cell: number, by: 1 | -1): number {
    for (let at = cell + by; at >= 1 && at <= this.size; at += by) if (isDifferent(this.kind[at - 1]!)) return at;
    return 0;
  }

  /** Takes what has come in since; whether anything has. */
  update(endedOne: boolean, endedOther: boolean): boolean {
    const of = `${this.one.lastSeq} ${this.other.lastSeq} ${endedOne} ${endedOther}`;
    if (of === this.made) return false;
    this.made = of;
    this.align(endedOne, endedOther);
    return true;
  }

  private align(endedOne: boolean, endedOther: boolean): void {
    const [rows, others] = [this.one.cycles.rows, this.other.cycles.rows];
    const keys = keysOf(rows, (row) => this.pods.at(row.pod));
    const otherKeys = keysOf(others, (row) => row.pod);
    const pairs: number[] = [];
    const used = new Uint8Array(rows.length);
    let i = 0;
    let j = 0;
    while (i < rows.length || j < others.length) {
      if (i < rows.length && used[i]) i += 1;
      else if (i < rows.length && !otherKeys.places.has(keys.keys[i]!)) pairs.push(++i, 0);
      else if (i < rows.length && keys.keys[i] === otherKeys.keys[j]) pairs.push(++i, ++j);
      else {
        const partner = keys.places.get(otherKeys.keys[j]!);
        if (partner !== undefined) used[partner] = 1;
        pairs.push(partner === undefined ? 0 : partner + 1, ++j);
      }
    }
    this.fill(pairs, endedOne, endedOther);
  }

  private fill(pairs: readonly number[], endedOne: boolean, endedOther: boolean): void {
    const size = pairs.length / 2;
    this.before = new Int32Array(size);
    this.after = new Int32Array(size);
    this.kind = new Uint8Array(size);
    this.upTo = [new Int32Array(size + 1), new Int32Array(size + 1)];
    this.counts.fill(0);
    this.first = 0;
    const [lastOne, lastOther] = [this.one.cycles.size, this.other.cycles.size];
    for (let cell = 0; cell < size; cell += 1) {
      const before = (this.before[cell] = pairs[cell * 2]!);
      const after = (this.after[cell] = pairs[cell * 2 + 1]!);
      this.upTo[0][cell + 1] = before || this.upTo[0][cell]!;
      this.upTo[1][cell + 1] = after || this.upTo[1][cell]!;
      const isAhead = (!before && !endedOne && this.upTo[0][cell + 1] === lastOne) || (!after && !endedOther && this.upTo[1][cell + 1] === lastOther);
      const kind = isAhead ? Kind.NOT_YET : !before ? Kind.AFTER : !after ? Kind.BEFORE : this.judge(this.one.cycles.row(before)!, this.other.cycles.row(after)!);
      this.kind[cell] = kind;
      this.counts[kind]! += 1;
      if (!this.first && isDifferent(kind)) this.first = cell + 1;
    }
  }

  private judge(one: CycleRow, other: CycleRow): number {
    if (one.result === CycleResult.RUNNING || other.result === CycleResult.RUNNING) return Kind.SAME;
    const [placed, otherPlaced] = [one.result === CycleResult.SCHEDULED, other.result === CycleResult.SCHEDULED];
    if (placed !== otherPlaced) return placed ? Kind.PENDING : Kind.RESCUED;
    if (placed && this.nodes.at(one.node) !== other.node) return Kind.MOVED;
    const isSame = one.numVictims === other.numVictims && (one.nominated < 0 ? -1 : this.nodes.at(one.nominated)) === other.nominated;
    return isSame ? Kind.SAME : Kind.VICTIMS;
  }
}

/** A number a pod's attempt, the same in both runs, and where it stands. */
function keysOf(rows: readonly CycleRow[], podOf: (row: CycleRow) => number): { keys: Float64Array; places: Map<number, number> } {
  const keys = new Float64Array(rows.length);
  const places = new Map<number, number>();
  rows.forEach((row, at) => {
    const pod = podOf(row);
    let key = pod < 0 ? -1 - at : pod * ATTEMPTS + row.attempt;
    while (places.has(key)) key += COMES_BACK;
    keys[at] = key;
    places.set(key, at);
  });
  return { keys, places };
}

export interface NodeChange {
  came: number;
  left: number;
}

/** Per node of the second run how many pods are on it there and not in the first run, and the other way round, both at their playheads. */
export class PlaceDifference {
  private readonly pods: Matched;
  private readonly nodes: Matched;
  private readonly back: Matched;

  constructor(
    private readonly one: RunStore,
    private readonly other: RunStore,
  ) {
    this.pods = new Matched(one.words.pods, other.words.pods);
    this.nodes = new Matched(one.words.nodes, other.words.nodes);
    this.back = new Matched(other.words.pods, one.words.pods);
  }

  /** By the node's name. */
  now(): Map<string, NodeChange> {
    const [{ pods }, { pods: others }] = [this.one.state, this.other.state];
    const found = new Map<string, NodeChange>();
    const add = (name: string, what: keyof NodeChange) => {
      const change = found.get(name) ?? { came: 0, left: 0 };
      change[what] += 1;
      found.set(name, change);
    };
    for (let pod = 0; pod < pods.size; pod += 1) {
      const node = pods.occupies(pod) ? pods.nodeOf(pod) : -1;
      const partner = this.pods.at(pod);
      const otherNode = partner >= 0 && partner < others.size && others.occupies(partner) ? others.nodeOf(partner) : -1;
      if ((node < 0 ? -1 : this.nodes.at(node)) === otherNode) continue;
      if (node >= 0) add(this.one.words.nodes.name(node), "left");
      if (otherNode >= 0) add(this.other.words.nodes.name(otherNode), "came");
    }
    for (let pod = 0; pod < others.size; pod += 1) {
      if (others.occupies(pod) && this.back.at(pod) < 0) add(this.other.words.nodes.name(others.nodeOf(pod)), "came");
    }
    return found;
  }
}
