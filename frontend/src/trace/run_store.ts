/**
 * The events of a run and the state at the playhead.
 *
 * Two states are kept: one at the newest event, which also leaves a snapshot every few thousand events, and, where the
 * playhead stands elsewhere, one there, made from the nearest snapshot. So no seek replays more than one interval. A long
 * run keeps every second snapshot and doubles the interval, so that snapshots never take more than a set amount of memory.
 */

import type { TraceEvent } from "../api/events.gen";
import { applyEvent, assignState, copyState, emptyState } from "./apply";
import type { RunState, Vocabulary } from "./apply";
import { CycleIndex } from "./cycle_index";
import { Names } from "./names";
import { PodState } from "./pod_columns";

export interface Seed {
  /** All pods known before the run: "namespace/name", the node it is bound to or null, and whether it has run to its end. */
  pods: readonly { key: string; node: string | null; priority: number; finished: boolean }[];
  nodes: readonly string[];
}

const DEFAULT_INTERVAL = 2048;
/** Snapshots together, in bytes. */
const SNAPSHOT_BUDGET = 96 << 20;
const LEAST_SNAPSHOTS = 4;

export class RunStore {
  readonly words: Vocabulary = { pods: new Names(), nodes: new Names() };
  readonly cycles = new CycleIndex();
  /** Event with seq n stands at n − 1. */
  readonly log: TraceEvent[] = [];
  /** Pods that had to go for others, in order. */
  readonly evicted: number[] = [];
  /** Pods that the run has bound and that are still there, also those that have run to their end since. */
  readonly placed = new Set<number>();
  /** Plugins asked since the event at the playhead: a place between two events. */
  stop = 0;
  /** Grows with every change of what is shown. */
  version = 0;
  private head: RunState = emptyState();
  private view: RunState = this.head;
  private snapshots: RunState[] = [copyState(this.head)];
  private following = true;

  constructor(
    private interval = DEFAULT_INTERVAL,
    private readonly budget = SNAPSHOT_BUDGET,
  ) {}

  /** The state at the playhead. */
  get state(): RunState {
    return this.view;
  }

  /** The state at the newest event, wherever the playhead stands. */
  get newest(): RunState {
    return this.head;
  }

  /** The state before the first event, as a copy of its own. */
  get beginning(): RunState {
    return copyState(this.snapshots[0]!);
  }

  get lastSeq(): number {
    return this.log.length;
  }

  /** Whether the playhead goes along with what comes in. */
  get live(): boolean {
    return this.following;
  }

  /** The cycle at the playhead, 0 before the first. */
  get cycle(): number {
    return this.cycles.at(this.view.seq);
  }

  event(seq: number): TraceEvent | undefined {
    return this.log[seq - 1];
  }

  /** What the cluster held before the run; may come after the first events. */
  seed(seed: Seed): void {
    const { pods, nodes } = this.words;
    for (const name of seed.nodes) nodes.id(name);
    const base = emptyState();
    for (const pod of seed.pods) {
      const id = pods.id(pod.key);
      base.pods.reserve(pods.size);
      base.pods.priority[id] = pod.priority;
      if (pod.node !== null) base.pods.setNode(id, nodes.id(pod.node));
      if (pod.finished) base.pods.enter(id, PodState.FINISHED);
      else if (pod.node !== null) base.pods.enter(id, PodState.BOUND);
    }
    this.restart(base);
  }

  private restart(base: RunState): void {
    const { seq: at } = this.view;
    const { stop } = this;
    this.head = base;
    this.snapshots = [copyState(base)];
    for (const event of this.log) this.advance(event);
    this.view = this.head;
    if (!this.following) this.seek(at);
    this.stop = stop;
    this.version += 1;
  }

  private advance(event: TraceEvent): void {
    applyEvent(this.head, event, this.words);
    if (event.seq % this.interval !== 0) return;
    this.snapshots.push(copyState(this.head));
    const { length } = this.snapshots;
    if (length > LEAST_SNAPSHOTS && length * this.head.pods.byteLength > this.budget) this.thin();
  }

  private thin(): void {
    this.snapshots = this.snapshots.filter((_, i) => i % 2 === 0);
    this.interval *= 2;
  }

  /** Takes the next events, in order and without gaps. */
  append(events: readonly TraceEvent[]): void {
    for (const event of events) {
      if (event.seq !== this.log.length + 1) continue;
      this.log.push(event);
      this.cycles.add(event, this.words);
      if (event.type === "PodBound") this.placed.add(this.words.pods.id(event.pod));
      else if (event.type === "PodDeleted") {
        const pod = this.words.pods.id(event.pod);
        this.placed.delete(pod);
        if (event.reason === "preempted") this.evicted.push(pod);
      }
      this.advance(event);
    }
    this.version += 1;
  }

  /** Moves the playhead to just after an event and keeps it there. */
  seek(seq: number): void {
    const target = Math.max(0, Math.min(seq, this.lastSeq));
    this.following = false;
    this.stop = 0;
    if (this.view === this.head) this.view = copyState(this.head);
    const forward = target >= this.view.seq && target - this.view.seq <= this.interval;
    if (!forward) assignState(this.view, this.snapshots[Math.floor(target / this.interval)]!);
    while (this.view.seq < target) applyEvent(this.view, this.log[this.view.seq]!, this.words);
    this.version += 1;
  }

  /** Moves the playhead to the end of a cycle; 0 is before the first one. */
  seekCycle(cycle: number): void {
    this.seek(this.endOf(Math.max(0, Math.min(cycle, this.cycles.size))));
  }

  /** The last event of a cycle as far as it is known; of 0, the one before the first cycle. */
  endOf(cycle: number): number {
    return cycle === 0 ? (this.cycles.row(1)?.firstSeq ?? this.lastSeq + 1) - 1 : this.cycles.row(cycle)!.lastSeq;
  }

  /** Moves the playhead to the last event at or before a virtual time. */
  seekTime(us: number): void {
    this.seek(this.seqAt(us));
  }

  /** The last event at or before a virtual time; 0 before the first. */
  seqAt(us: number): number {
    let low = 0;
    let high = this.log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.log[middle]!.t_us <= us) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Goes along with the newest event. */
  follow(): void {
    this.following = true;
    this.stop = 0;
    this.view = this.head;
    this.version += 1;
  }

  /** Stops where the playhead is. */
  hold(): void {
    if (this.following) this.seek(this.head.seq);
  }

  /** The next cycle after the playhead that `matches`, 0 if there is none. */
  nextCycle(matches: (cycle: number) => boolean): number {
    for (let cycle = this.cycle + 1; cycle <= this.cycles.size; cycle += 1) if (matches(cycle)) return cycle;
    return 0;
  }
}
