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
} as const;

export const NUM_STATES = 10;

type Column = Uint8Array | Int32Array | Float64Array;

const grown = <T extends Column>(column: T, capacity: number): T => {
  const wider = new (column.constructor as new (n: number) => T)(capacity);
  wider.set(column);
  return wider;
};

export class PodColumns {
  size = 0;
  state = new Uint8Array(64);
  /** 1 for a pod named as a victim and not gone yet. */
  victim = new Uint8Array(64);
  /** Ids are shifted by one, so that 0 means none. */
  private node1 = new Int32Array(64);
  private nominated1 = new Int32Array(64);
  priority = new Int32Array(64);
  attempts = new Int32Array(64);
  /** seq of the event that brought it into its queue; of the last one that moved it; of its last failure. 0 = none. */
  entered = new Int32Array(64);
  moved = new Int32Array(64);
  failed = new Int32Array(64);
  lastCycle = new Int32Array(64);
  backoffUntil = new Float64Array(64);
  counts = new Int32Array(NUM_STATES);

  /** Makes room for pod ids below `size`; new ones are absent. */
  reserve(size: number): void {
    if (size <= this.size) return;
    if (size > this.state.length) this.grow(Math.max(size, this.state.length * 2));
    this.counts[PodState.ABSENT]! += size - this.size;
    this.size = size;
  }

  private grow(capacity: number): void {
    this.state = grown(this.state, capacity);
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

  copy(): PodColumns {
    const copy = new PodColumns();
    const end = Math.max(this.size, 1);
    copy.size = this.size;
    copy.state = this.state.slice(0, end);
    copy.victim = this.victim.slice(0, end);
    copy.node1 = this.node1.slice(0, end);
    copy.nominated1 = this.nominated1.slice(0, end);
    copy.priority = this.priority.slice(0, end);
    copy.attempts = this.attempts.slice(0, end);
    copy.entered = this.entered.slice(0, end);
    copy.moved = this.moved.slice(0, end);
    copy.failed = this.failed.slice(0, end);
    copy.lastCycle = this.lastCycle.slice(0, end);
    copy.backoffUntil = this.backoffUntil.slice(0, end);
    copy.counts = this.counts.slice();
    return copy;
  }
}
