/** Moves the playhead: step by step, cycle by cycle, or by itself at a pace. */

import type { TraceEvent } from "../api/events.gen";
import { BreakSearch, breakText, readBreak } from "../trace/breakpoints";
import type { Breakpoint } from "../trace/breakpoints";
import { stopsAfter } from "../trace/cycle_so_far";
import type { SpRun } from "./sp-run";

/** Cycles a second. */
export const PACES = [1, 2, 5, 20, 100] as const;

export class Player {
  pace: number = PACES[1];
  private timer = 0;

  constructor(private readonly run: SpRun) {}

  private searched: BreakSearch | null = null;

  /** What is broken on, with the places found so far; null where nothing is. */
  get breaks(): BreakSearch | null {
    const text = this.run.view("break");
    const point = readBreak(text);
    if (!point) return (this.searched = null);
    if (!this.searched || breakText(this.searched.point) !== breakText(point)) this.searched = new BreakSearch(point);
    this.searched.update(this.run.store);
    return this.searched;
  }

  breakOn(point: Breakpoint | null): void {
    this.run.setView({ break: point ? breakText(point) : null });
  }

  /** To the next or the last place that the breakpoint is met at. */
  stepBreak(by: 1 | -1): void {
    const { breaks } = this;
    const { store } = this.run;
    if (!breaks) return;
    if (by === 1 && store.live) store.seek(0);
    const seq = by === 1 ? breaks.after(store.state.seq) : breaks.before(store.live ? store.lastSeq + 1 : store.state.seq);
    if (seq) this.stopAt(seq);
  }

  private stopAt(seq: number): void {
    this.pause();
    const { run } = this;
    run.travelling(podOf(run.store.event(seq)), () => run.store.seek(seq));
    run.tab = "cycle";
    run.goAlong();
    run.note(true);
  }

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
    const to = Math.min(store.cycle + stride, store.cycles.size);
    const met = this.breaks?.after(store.state.seq) ?? 0;
    if (met && met <= (store.cycles.row(to)?.lastSeq ?? 0)) this.stopAt(met);
    else this.goto(to, stride === 1 && this.pace <= 5);
  }

  private goto(cycle: number, animate: boolean): void {
    const { run } = this;
    const { store } = run;
    const target = Math.max(0, Math.min(cycle, store.cycles.size));
    const row = store.cycles.row(Math.max(target, store.cycle));
    const pods = animate && row ? [store.words.pods.name(row.pod)] : [];
    run.travelling(pods, () => {
      store.seekCycle(target);
      run.goAlong();
    });
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

  /** One plugin, extension point or event on or back. */
  stepEvent(by: 1 | -1): void {
    this.pause();
    const { run } = this;
    const { store } = run;
    store.hold();
    const { seq } = store.state;
    const [to, stop] = by === 1 ? this.stopOn(seq, store.stop) : this.stopBack(seq, store.stop);
    const event = store.event(Math.max(seq, to));
    run.travelling(to === seq ? [] : podOf(event), () => {
      store.seek(to);
      store.stop = stop;
      run.goAlong();
    });
    run.note(false);
  }

  /** The plugins asked between an event and the next one, as far as the cycle's detail is here to name them. */
  private stopsAfter(seq: number): number {
    const { store, details } = this.run;
    const known = details?.peek(store.cycles.at(seq));
    return known?.state === "ready" ? stopsAfter(store, known.detail, seq).length : 0;
  }

  private stopOn(seq: number, stop: number): [number, number] {
    return stop < this.stopsAfter(seq) ? [seq, stop + 1] : [seq + 1, 0];
  }

  private stopBack(seq: number, stop: number): [number, number] {
    return stop > 0 ? [seq, stop - 1] : [seq - 1, this.stopsAfter(seq - 1)];
  }

  /** To the start (0) or the end (∞) of what is there. */
  jump(cycle: number): void {
    this.pause();
    const { store } = this.run;
    if (cycle === Infinity) store.follow();
    else store.seekCycle(cycle);
    this.run.goAlong();
    this.run.note(false);
    this.run.touch();
  }

  /** Anywhere, as the scrubber is drawn along. */
  scrub(cycle: number): void {
    this.pause();
    this.run.store.seekCycle(cycle);
    this.run.goAlong();
    this.run.note(false);
    this.run.swept();
  }

  /** The same over virtual time. */
  scrubTime(us: number): void {
    this.pause();
    this.run.store.seekTime(us);
    this.run.goAlong();
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
