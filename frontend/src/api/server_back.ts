/** Waits until a server that did not answer answers again, and has reads repeated that failed meanwhile. */

import { ApiError } from "./problem";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const AWAY = new Set([0, 502, 503, 504]);

/** Whether a failed read may succeed once the server is back: it did not answer, or a proxy says that nobody does. */
export const isAway = (error: unknown): boolean => error instanceof ApiError && AWAY.has(error.status);

export class ServerBack {
  private readonly waiting = new Set<() => void>();
  private asking = false;

  constructor(
    private readonly answers: () => Promise<boolean>,
    private readonly later: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms),
  ) {}

  /** Calls `repeat` once, when the server is back; the same function is called once however often it is given. */
  then(repeat: () => void): void {
    this.waiting.add(repeat);
    if (this.asking) return;
    this.asking = true;
    this.ask(FIRST_WAIT_MS);
  }

  private ask(wait: number): void {
    this.later(() => {
      void this.answers().then((there) => {
        if (this.waiting.size > 0 && !there) this.ask(Math.min(LONGEST_WAIT_MS, wait * 2));
        else this.tell();
      });
    }, wait);
  }

  /** The server is back: something else was answered, as a socket. */
  tell(): void {
    this.asking = false;
    const repeats = [...this.waiting];
    this.waiting.clear();
    for (const repeat of repeats) repeat();
  }
}

async function anyAnswer(): Promise<boolean> {
  try {
    return !AWAY.has((await fetch("/static/manifest.json", { method: "HEAD", cache: "no-store" })).status);
  } catch {
    return false;
  }
}

/** One for the page. */
export const serverBack = new ServerBack(anyAnswer);

/** Reads something, again as soon as the server is back where it did not answer. */
export async function untilAnswered<T>(read: () => Promise<T>, signal?: AbortSignal, back: ServerBack = serverBack): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isAway(error) || signal?.aborted) throw error;
      await new Promise<void>((done) => back.then(done));
      if (signal?.aborted) throw error;
    }
  }
}
