/** The state of all pods at one moment, as columns over pod ids: cheap to copy, so that seeking is quick. */

export const PodState = {
  ABSENT: 0,
  ACTIVE: 1,
  BACKOFF: 2,
  UNSCHEDULABLE: 3,
  GATED: 4,
  IN_FLIGHT: 5,
  WAITING: 6,
  ASSUMED: 7,
  BOUND: 8,
  GONE: 9,
  /** Its containers have ended: it keeps its node and takes nothing from it. */
  FINISHED: 10,
  /** It has no node and is being deleted: the scheduler skips it. */
  DELETING: 11,
} as const;

export const NUM_STATES = 12;
/** Three bytes, eight int32 and one float64. */
const BYTES_PER_POD = 3 + 8 * 4 + 8;

type Column = Uint8Array | Int32Array | Float64Array;

const grown = <T extends Column>(column: T, capacity: number): T => {
  const wider = new (column.constructor as new (n: number) => T)(capacity);
  wider.set(column);
  return wider;
};

export class PodColumns {
  size = 0;
  state: Uint8Array;
  /** The state it was in before this one. */
  previous: Uint8Array;
  /** 1 for a pod named as a victim and not gone yet. */
  victim: Uint8Array;
  /** Ids are shifted by one, so that 0 means none. */
  private node1: Int32Array;
  private nominated1: Int32Array;
  priority: Int32Array;
  attempts: Int32Array;
  /** seq of the event that brought it into its queue; of the last one that moved it; of its last failure. 0 = none. */
  entered: Int32Array;
  moved: Int32Array;
  failed: Int32Array;
  lastCycle: Int32Array;
  backoffUntil: Float64Array;
  counts = new Int32Array(NUM_STATES);

  constructor(capacity = 64) {
    this.state = new Uint8Array(capacity);
    this.previous = new Uint8Array(capacity);
    this.victim = new Uint8Array(capacity);
    this.node1 = new Int32Array(capacity);
    this.nominated1 = new Int32Array(capacity);
    this.priority = new Int32Array(capacity);
    this.attempts = new Int32Array(capacity);
    this.entered = new Int32Array(capacity);
    this.moved = new Int32Array(capacity);
    this.failed = new Int32Array(capacity);
    this.lastCycle = new Int32Array(capacity);
    this.backoffUntil = new Float64Array(capacity);
  }

  /** Makes room for pod ids below `size`; new ones are absent. */
  reserve(size: number): void {
    if (size <= this.size) return;
    if (size > this.state.length) this.grow(Math.max(size, this.state.length * 2));
    this.counts[PodState.ABSENT]! += size - this.size;
    this.size = size;
  }

  private grow(capacity: number): void {
    this.state = grown(this.state, capacity);
    this.previous = grown(this.previous, capacity);
    this.victim = grown(this.victim, capacity);
    this.node1 = grown(this.node1, capacity);
    this.nominated1 = grown(this.nominated1, capacity);
    this.priority = grown(this.priority, capacity);
    this.attempts = grown(this.attempts, capacity);
    this.entered = grown(this.entered, capacity);
    this.moved = grown(this.moved, capacity);
    this.failed = grown(this.failed, capacity);
    this.lastCycle = grown(this.lastCycle, capacity);
    this.backoffUntil = grown(this.backoffUntil, capacity);
  }

  /** Puts a pod into a state and keeps the counts. */
  enter(pod: number, state: number): void {
    this.counts[this.state[pod]!]! -= 1;
    this.counts[state]! += 1;
    this.previous[pod] = this.state[pod]!;
    this.state[pod] = state;
  }

  nodeOf(pod: number): number {
    return this.node1[pod]! - 1;
  }

  setNode(pod: number, node: number): void {
    this.node1[pod] = node + 1;
  }

  nominatedOf(pod: number): number {
    return this.nominated1[pod]! - 1;
  }

  setNominated(pod: number, node: number): void {
    this.nominated1[pod] = node + 1;
  }

  /** Whether the pod takes room on its node now. */
  occupies(pod: number): boolean {
    const state = this.state[pod]!;
    return state >= PodState.WAITING && state <= PodState.BOUND && this.node1[pod]! > 0;
  }

  /** What a copy takes, in bytes. */
  get byteLength(): number {
    return this.size * BYTES_PER_POD;
  }

  /** Becomes the same as another, in the arrays that are there. */
  assign(other: PodColumns): void {
    const { size } = other;
    if (size > this.state.length) this.grow(size);
    const take = <T extends Column>(mine: T, theirs: T) => mine.set(theirs.subarray(0, size) as never);
    take(this.state, other.state);
    take(this.previous, other.previous);
    take(this.victim, other.victim);
    take(this.node1, other.node1);
    take(this.nominated1, other.nominated1);
    take(this.priority, other.priority);
    take(this.attempts, other.attempts);
    take(this.entered, other.entered);
    take(this.moved, other.moved);
    take(this.failed, other.failed);
    take(this.lastCycle, other.lastCycle);
    take(this.backoffUntil, other.backoffUntil);
    this.counts.set(other.counts);
    // What lies beyond must be as new: pods that are named later start from nothing.
    if (this.size > size) this.clear(size, this.size);
    this.size = size;
  }

  private clear(from: number, to: number): void {
    for (const column of [this.state, this.previous, this.victim, this.node1, this.nominated1, this.priority, this.attempts]) column.fill(0, from, to);
    for (const column of [this.entered, this.moved, this.failed, this.lastCycle, this.backoffUntil]) column.fill(0, from, to);
  }

  copy(): PodColumns {
    const copy = new PodColumns(Math.max(this.size, 1));
    copy.assign(this);
    return copy;
  }
}
