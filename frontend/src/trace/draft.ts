/** States of something that is edited, to go back to and forth; a burst of the same kind is one step. */

const MOST = 200;

export class Draft<T> {
  private past: T[] = [];
  private future: T[] = [];
  private burst = "";

  constructor(private state: T) {}

  get now(): T {
    return this.state;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** A new state. States with the same name of a burst that follow each other are one step back. */
  become(next: T, burst = ""): void {
    if (!burst || burst !== this.burst) this.past = [...this.past, this.state].slice(-MOST);
    this.burst = burst;
    this.future = [];
    this.state = next;
  }

  /** The same step, known better: what an answer adds to it. */
  amend(next: T): void {
    this.state = next;
  }

  /** What comes now is a step of its own. */
  rest(): void {
    this.burst = "";
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.state);
    this.state = before;
    this.burst = "";
  }

  redo(): void {
    const after = this.future.pop();
    if (after === undefined) return;
    this.past.push(this.state);
    this.state = after;
    this.burst = "";
  }
}
