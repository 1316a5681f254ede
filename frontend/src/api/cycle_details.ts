/** Details of cycles, fetched when one is opened and kept for a while. */

import { cycleDetail } from "./client";
import { ApiError } from "./problem";
import { isAway, serverBack } from "./server_back";
import type { CycleDetail } from "./types";

export type DetailState =
  | { state: "loading"; replaying: boolean }
  | { state: "ready"; detail: CycleDetail }
  | { state: "failed"; message: string };

const KEPT = 64;

type Fetcher = typeof cycleDetail;

/** So many cycles at once are waited for while they are computed again; older ones are given up. */
const WAITED_FOR = 2;
const WAIT_SECONDS = 10;

export class CycleDetails extends EventTarget {
  /** True once a detail had to be computed again: then those beside one that is looked at are asked for before they are wanted. */
  slow = false;
  private ahead = new AbortController();
  private readonly kept = new Map<number, DetailState>();
  private readonly running = new Map<number, AbortController>();

  constructor(
    private readonly run: number | string,
    private readonly fetcher: Fetcher = cycleDetail,
    private readonly pause: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
    private readonly back = serverBack,
  ) {
    super();
  }

  /** What is known of a cycle, without asking for it. */
  peek(cycle: number): DetailState | undefined {
    return this.kept.get(cycle);
  }

  /** What is known of a cycle; asks for it where nothing is. */
  want(cycle: number): DetailState {
    const known = this.kept.get(cycle);
    if (known) return known;
    const loading: DetailState = { state: "loading", replaying: false };
    this.keep(cycle, loading);
    void this.load(cycle);
    return loading;
  }

  /** Asks for a cycle and waits until it is there; whether it came. */
  async whenKnown(cycle: number): Promise<boolean> {
    while (this.want(cycle).state === "loading") await new Promise((done) => this.addEventListener("detail", done, { once: true }));
    return this.want(cycle).state === "ready";
  }

  /** Asks again after a failure. */
  retry(cycle: number): void {
    this.kept.delete(cycle);
    this.want(cycle);
  }

  /** Asks for cycles that are likely to be wanted next, one after the other, until one is wanted. */
  async prepare(cycles: readonly number[]): Promise<void> {
    this.ahead.abort();
    const { signal } = (this.ahead = new AbortController());
    try {
      for (const cycle of cycles) {
        if (this.kept.has(cycle)) continue;
        const answer = await this.fetcher(this.run, cycle, signal, WAIT_SECONDS);
        if (signal.aborted) return;
        if ("detail" in answer && !this.kept.has(cycle)) this.keep(cycle, { state: "ready", detail: answer.detail });
      }
    } catch {
      // Whoever wants it asks again, and is told why not.
    }
  }

  /** Asks again for what failed and is still kept: nobody need press anything. */
  private repeat(cycle: number): void {
    if (this.kept.get(cycle)?.state === "failed") this.retry(cycle);
  }

  private async load(cycle: number): Promise<void> {
    this.ahead.abort();
    const abort = new AbortController();
    this.running.set(cycle, abort);
    this.giveUpOlder();
    try {
      for (;;) {
        const answer = await this.fetcher(this.run, cycle, abort.signal, this.slow ? WAIT_SECONDS : 0);
        if (abort.signal.aborted) return;
        if ("detail" in answer) {
          this.keep(cycle, { state: "ready", detail: answer.detail });
          break;
        }
        this.keep(cycle, { state: "loading", replaying: true });
        if (!this.slow) {
          this.slow = true; // from here on the server waits
          continue;
        }
        await this.pause(answer.retryAfter * 1000);
        if (abort.signal.aborted) return;
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      const message = error instanceof ApiError ? error.message : "The detail of this cycle could not be read.";
      this.keep(cycle, { state: "failed", message });
      if (isAway(error)) this.back.then(() => this.repeat(cycle));
    } finally {
      if (this.running.get(cycle) === abort) this.running.delete(cycle);
    }
  }

  private giveUpOlder(): void {
    const older = [...this.running.keys()].slice(0, -WAITED_FOR);
    for (const cycle of older) {
      this.running.get(cycle)?.abort();
      this.running.delete(cycle);
      this.kept.delete(cycle);
    }
  }

  private keep(cycle: number, state: DetailState): void {
    this.kept.delete(cycle);
    this.kept.set(cycle, state);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      if (!this.running.has(old)) this.kept.delete(old);
    }
    this.dispatchEvent(new CustomEvent("detail", { detail: cycle }));
  }
}
