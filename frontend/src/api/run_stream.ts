/**
 * Arrow 6: the events of a run, in order, each once. The database is the truth and the socket a hint: a gap in `seq` or a
 * lost socket is mended from `GET events?after=`, and where no socket can be had at all the same address is polled.
 */

import { api } from "./client";
import type { EventsPage } from "./client";
import type { TraceEvent } from "./events.gen";
import type { RunInfo } from "./types";

export type StreamState = "connecting" | "live" | "reconnecting" | "polling" | "ended" | "failed";

export interface StreamListener {
  events(batch: TraceEvent[]): void;
  run(info: Partial<RunInfo>): void;
  state(state: StreamState): void;
}

interface Frame {
  events?: TraceEvent[];
  first_seq?: number;
  last_seq?: number;
  run?: Partial<RunInfo>;
}

export interface StreamParts {
  connect: (after: number) => WebSocket;
  fetchEvents: (after: number) => Promise<EventsPage>;
  later: (run: () => void, ms: number) => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
const POLL_AFTER_TRIES = 3;
const POLL_MS = 1000;
const TERMINAL = new Set<string>(["finished", "failed", "cancelled", "interrupted"]);

export const isTerminal = (status: string | undefined): boolean => status !== undefined && TERMINAL.has(status);

function parts(run: number | string): StreamParts {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return {
    connect: (after) => new WebSocket(`${scheme}://${location.host}/ws/runs/${run}/?after=${after}`),
    fetchEvents: (after) => api.events(run, after),
    later: (callback, ms) => void setTimeout(callback, ms),
  };
}

export class RunStream {
  private socket: WebSocket | null = null;
  private tries = 0;
  private stopped = false;
  private mending = false;
  private readable = true;
  private status: string | undefined;
  private lastSeq = -1;
  private readonly parts: StreamParts;

  constructor(
    run: number | string,
    private readonly listener: StreamListener,
    private seen = 0,
    given?: StreamParts,
  ) {
    this.parts = given ?? parts(run);
  }

  start(): void {
    this.listener.state("connecting");
    this.open();
  }

  stop(): void {
    this.stopped = true;
    this.socket?.close();
  }

  private open(): void {
    if (this.stopped) return;
    const socket = this.parts.connect(this.seen);
    this.socket = socket;
    socket.onopen = () => this.listener.state("live");
    socket.onmessage = (message) => this.receive(socket, String(message.data));
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private receive(socket: WebSocket, text: string): void {
    this.tries = 0;
    const frame = JSON.parse(text) as Frame;
    if (frame.events?.length) {
      const first = frame.first_seq ?? frame.events[0]?.seq ?? 0;
      if (first > this.seen + 1) {
        this.mend(socket);
        return;
      }
      this.take(frame.events);
      if (socket.readyState === 1) socket.send(JSON.stringify({ ack: this.seen }));
    }
    if (frame.run) this.learn(frame.run);
    this.finishIfDone();
  }

  /** Hands on what has not been seen; the rest are duplicates. */
  private take(events: TraceEvent[]): void {
    const fresh = events.filter((event) => event.seq > this.seen);
    const last = fresh[fresh.length - 1];
    if (!last) return;
    this.seen = last.seq;
    this.listener.events(fresh);
  }

  private learn(run: Partial<RunInfo>): void {
    if (run.status) this.status = run.status;
    if (run.last_seq !== undefined) this.lastSeq = run.last_seq;
    this.listener.run(run);
  }

  /** A frame is missing: leave the socket, read what lies between from the database, then connect again. */
  private mend(socket: WebSocket): void {
    this.socket = null;
    socket.close();
    this.lost();
  }

  private lost(): void {
    if (this.stopped || this.mending) return;
    this.socket = null;
    this.tries += 1;
    this.listener.state(this.tries > POLL_AFTER_TRIES ? "polling" : "reconnecting");
    const polling = this.tries > POLL_AFTER_TRIES && this.readable;
    const wait = polling ? POLL_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.tries - 1));
    this.mending = true;
    this.parts.later(() => void this.recover(), this.tries === 1 ? 0 : wait);
  }

  private async recover(): Promise<void> {
    try {
      for (;;) {
        const page = await this.parts.fetchEvents(this.seen);
        this.take(page.events);
        this.learn({ status: page.status, last_seq: page.last_seq });
        if (page.events.length === 0 || this.seen >= page.last_seq || this.stopped) break;
      }
      this.readable = true;
    } catch {
      this.readable = false;
    }
    this.mending = false;
    if (this.finishIfDone() || this.stopped) return;
    if (!this.readable) this.listener.state("failed");
    this.open();
  }

  /** The stream ends when the run has ended and its last event is here. */
  private finishIfDone(): boolean {
    if (!isTerminal(this.status) || this.seen < this.lastSeq) return false;
    this.stop();
    this.listener.state("ended");
    return true;
  }
}
