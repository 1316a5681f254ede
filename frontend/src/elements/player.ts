/** Moves the playhead: step by step, cycle by cycle, or by itself at a pace. */

import type { TraceEvent } from "../api/events.gen";
import type { SpRun } from "./sp-run";

/** Cycles a second. */
export const PACES = [1, 2, 5, 20, 100] as const;

export class Player {
  pace: number = PACES[1];
  private timer = 0;

  constructor(private readonly run: SpRun) {}

  get playing(): boolean {
    return this.timer !== 0;
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = 0;
  }

  setPace(pace: number): void {
    this.pace = pace;
    if (this.playing) {
      this.pause();
      this.play();
    }
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
    this.run.touch();
  }

  private play(): void {
    const { store } = this.run;
    if (store.live || store.state.seq >= store.lastSeq) {
      if (!this.run.ended) return;
      store.seekCycle(0);
    }
    const frame = Math.max(16, 1000 / this.pace);
    const stride = Math.max(1, Math.round((this.pace * frame) / 1000));
    this.timer = window.setInterval(() => this.tick(stride), frame);
  }

  private tick(stride: number): void {
    const { store } = this.run;
    if (store.cycle >= store.cycles.size) {
      store.seek(store.lastSeq);
      this.pause();
      if (!this.run.ended) store.follow();
      this.run.touch();
      return;
    }
    this.goto(store.cycle + stride, stride === 1 && this.pace <= 5);
  }

  private goto(cycle: number, animate: boolean): void {
    const { run } = this;
    const { store } = run;
    const target = Math.max(0, Math.min(cycle, store.cycles.size));
    const row = store.cycles.row(Math.max(target, store.cycle));
    const pods = animate && row ? [store.words.pods.name(row.pod)] : [];
    run.travelling(pods, () => store.seekCycle(target));
    run.note(false);
  }

  /** One cycle on or back. */
  stepCycle(by: 1 | -1): void {
    this.pause();
    const { store } = this.run;
    store.hold();
    const row = store.cycles.row(store.cycle);
    const inside = row !== undefined && store.state.seq < row.lastSeq;
    this.run.tab = "cycle";
    this.goto(by === 1 && inside ? store.cycle : store.cycle + by, true);
  }

  /** One event on or back: from extension point to extension point. */
  stepEvent(by: 1 | -1): void {
    this.pause();
    const { run } = this;
    const { store } = run;
    store.hold();
    const event = store.event(store.state.seq + (by === 1 ? 1 : 0));
    run.travelling(podOf(event), () => store.seek(store.state.seq + by));
    run.note(false);
  }

  /** To the start (0) or the end (∞) of what is there. */
  jump(cycle: number): void {
    this.pause();
    const { store } = this.run;
    if (cycle === Infinity) store.follow();
    else store.seekCycle(cycle);
    this.run.note(false);
    this.run.touch();
  }

  /** Anywhere, as the scrubber is drawn along. */
  scrub(cycle: number): void {
    this.pause();
    this.run.store.seekCycle(cycle);
    this.run.note(false);
    this.run.swept();
  }

  follow(): void {
    this.jump(Infinity);
  }

  nextRejection(): void {
    const { store } = this.run;
    if (store.live) store.seekCycle(0);
    const cycle = store.nextCycle((one) => (store.cycles.row(one)?.result ?? 0) >= 2);
    if (cycle) this.run.openCycle(cycle);
  }

  /** The selected pod's next or last attempt. */
  stepAttempt(by: 1 | -1): void {
    const { run } = this;
    const { store } = run;
    const pod = run.pod ? store.words.pods.find(run.pod) : (store.cycles.row(store.cycle)?.pod ?? -1);
    const cycles = store.cycles.ofPod(pod);
    const next = by === 1 ? cycles.find((one) => one > store.cycle) : cycles.findLast((one) => one < store.cycle);
    if (next) run.openCycle(next);
  }
}

function podOf(event: TraceEvent | undefined): string[] {
  return event && "pod" in event ? [event.pod] : [];
}
