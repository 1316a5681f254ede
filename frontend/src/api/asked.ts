/** Answers that are asked for when they are first looked at, and kept for a while. */

import { send } from "./client";
import { ApiError } from "./problem";

export type AskedState<T> = { state: "loading"; replaying: boolean } | { state: "ready"; answer: T } | { state: "failed"; message: string };

const KEPT = 128;

type Pause = (ms: number) => Promise<void>;

/** Reads paths of the interface; 202 means that the answer is being computed, and is asked for again. */
export class Asked<T> {
  private readonly kept = new Map<string, AskedState<T>>();

  constructor(
    private readonly changed: () => void,
    private readonly fetcher: (path: string) => Promise<Response> = send,
    private readonly pause: Pause = (ms) => new Promise((done) => setTimeout(done, ms)),
  ) {}

  want(path: string): AskedState<T> {
    const known = this.kept.get(path);
    if (known) return known;
    const loading: AskedState<T> = { state: "loading", replaying: false };
    this.kept.set(path, loading);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(old);
    }
    void this.load(path);
    return loading;
  }

  retry(path: string): void {
    this.kept.delete(path);
    this.want(path);
    this.changed();
  }

  private async load(path: string): Promise<void> {
    let found: AskedState<T>;
    try {
      let response = await this.fetcher(path);
      while (response.status === 202) {
        this.kept.set(path, { state: "loading", replaying: true });
        this.changed();
        await this.pause((Number(response.headers.get("Retry-After") ?? "1") || 1) * 1000);
        if (!this.kept.has(path)) return;
        response = await this.fetcher(path);
      }
      found = { state: "ready", answer: (await response.json()) as T };
    } catch (error) {
      found = { state: "failed", message: error instanceof ApiError ? error.message : "The answer could not be read." };
    }
    if (!this.kept.has(path)) return;
    this.kept.set(path, found);
    this.changed();
  }
}

export const nodeAnswerPath = (run: string, cycle: number, node: string): string => `runs/${run}/cycles/${cycle}/nodes/${encodeURIComponent(node)}`;
export const nodeStoryPath = (run: string, node: string, until: number): string => `runs/${run}/nodes/${encodeURIComponent(node)}?until=${until}`;
