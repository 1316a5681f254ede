/** One row a scheduling cycle, as columns: what the list of cycles shows and what seeking by cycle needs. */

import type { TraceEvent } from "../api/events.gen";
import type { Vocabulary } from "./apply";

export const CycleResult = { RUNNING: 0, SCHEDULED: 1, UNSCHEDULABLE: 2, ERROR: 3 } as const;

export interface CycleRow {
  cycle: number;
  pod: number;
  attempt: number;
  result: number;
  node: number;
  numNodes: number;
  numEvaluated: number;
  numFeasible: number;
  numTies: number;
  numVictims: number;
  nominated: number;
  tUs: number;
  /** First and last event: the last is the one before the next cycle starts. */
  firstSeq: number;
  lastSeq: number;
  rejected: Record<string, number> | null;
  message: string;
  /** The events after Permit had the pod wait, and at the end of its binding, good or bad; 0 where none came. */
  permitted: number;
  settled: number;
}

export class CycleIndex {
  /** Row n − 1 is cycle n. */
  readonly rows: CycleRow[] = [];
  private readonly byPod = new Map<number, number[]>();

  get size(): number {
    return this.rows.length;
  }

  row(cycle: number): CycleRow | undefined {
    return this.rows[cycle - 1];
  }

  /** The cycles of a pod, first to last. */
  ofPod(pod: number): readonly number[] {
    return this.byPod.get(pod) ?? [];
  }

  /** The cycle that a moment belongs to: the last one started at or before it; 0 before the first. */
  at(seq: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle]!.firstSeq <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The pod's last cycle at or before a moment; 0 if it had none. */
  lastOf(pod: number, seq: number): number {
    const cycles = this.ofPod(pod);
    for (let i = cycles.length - 1; i >= 0; i -= 1) {
      const cycle = cycles[i]!;
      if ((this.row(cycle)?.firstSeq ?? Infinity) <= seq) return cycle;
    }
    return 0;
  }

  add(event: TraceEvent, words: Vocabulary): void {
    const open = this.rows[this.rows.length - 1];
    if (event.type === "CycleStarted") this.begin(event, words.pods.id(event.pod));
    else if (open) open.lastSeq = event.seq;
    if (!("cycle" in event) || event.type === "CycleStarted") return;
    const row = this.row(event.cycle);
    if (row) note(row, event, words);
  }

  private begin(event: Extract<TraceEvent, { type: "CycleStarted" }>, pod: number): void {
    this.rows.push(begun(event, pod));
    const cycles = this.byPod.get(pod);
    if (cycles) cycles.push(event.cycle);
    else this.byPod.set(pod, [event.cycle]);
  }
}

function begun(event: Extract<TraceEvent, { type: "CycleStarted" }>, pod: number): CycleRow {
  return {
    cycle: event.cycle,
    pod,
    attempt: event.attempt,
    result: CycleResult.RUNNING,
    node: -1,
    numNodes: 0,
    numEvaluated: 0,
    numFeasible: 0,
    numTies: 0,
    numVictims: 0,
    nominated: -1,
    tUs: event.t_us,
    firstSeq: event.seq,
    lastSeq: event.seq,
    rejected: null,
    message: "",
    permitted: 0,
    settled: 0,
  };
}

/** A row as the events up to `seq` tell it; where they end stays as it is. */
export function rowAt(row: CycleRow, log: readonly TraceEvent[], seq: number, words: Vocabulary): CycleRow {
  const first = log[row.firstSeq - 1];
  if (first?.type !== "CycleStarted") return row;
  const found = { ...begun(first, row.pod), lastSeq: row.lastSeq };
  const end = Math.min(seq, Math.max(row.lastSeq, row.settled));
  for (let at = row.firstSeq + 1; at <= end; at += 1) {
    const event = log[at - 1]!;
    if ("cycle" in event && event.type !== "CycleStarted" && event.cycle === row.cycle) note(found, event, words);
  }
  return found;
}

type CycleEvent = Extract<TraceEvent, { cycle: number }>;

function note(row: CycleRow, event: CycleEvent, words: Vocabulary): void {
  switch (event.type) {
    case "NodesFiltered":
      row.numNodes = event.num_nodes;
      row.numEvaluated = event.num_evaluated;
      row.numFeasible = event.num_feasible;
      row.rejected = event.rejected ?? null;
      break;
    case "NodesScored":
      row.numTies = event.num_ties ?? 0;
      break;
    case "VictimsSelected":
      row.numVictims = event.victims?.length ?? 0;
      break;
    case "PodNominated":
      row.nominated = words.nodes.id(event.node);
      break;
    case "PodPermitted":
      row.permitted = event.seq;
      break;
    case "PodBound":
      row.settled = event.seq;
      break;
    case "PodAssumed":
      row.node = words.nodes.id(event.node);
      row.result = CycleResult.SCHEDULED;
      break;
    case "PodUnschedulable":
      if (row.result === CycleResult.SCHEDULED) row.settled = event.seq;
      row.result = event.error ? CycleResult.ERROR : CycleResult.UNSCHEDULABLE;
      row.message = event.message;
      row.node = -1;
      break;
    default:
  }
}
