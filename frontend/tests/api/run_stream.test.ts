import { beforeEach, describe, expect, test } from "vitest";
import type { EventsPage } from "../../src/api/client";
import type { TraceEvent } from "../../src/api/events.gen";
import { RunStream } from "../../src/api/run_stream";
import type { StreamState } from "../../src/api/run_stream";
import type { RunInfo } from "../../src/api/types";

const event = (seq: number): TraceEvent => ({ seq, t_us: seq, type: "NodeAdded", node: `n${seq}` });
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => event(first + i));

/** A socket whose other end is the test. */
class Line {
  readyState = 1;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly after: number) {}

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }

  say(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  events(first: number, last: number): void {
    this.say({ events: span(first, last), first_seq: first, last_seq: last });
  }
}

let lines: Line[];
let stored: number;
let status: RunInfo["status"];
let readable: boolean;
let got: number[];
let states: StreamState[];
let waits: number[];
let due: (() => void)[];

function start(): RunStream {
  const page = async (after: number): Promise<EventsPage> => {
    if (!readable) throw new Error("down");
    return { events: after < stored ? span(after + 1, Math.min(stored, after + 3)) : [], last_seq: stored, status };
  };
  const stream = new RunStream(
    "run",
    { events: (batch) => got.push(...batch.map((one) => one.seq)), run: () => undefined, state: (state) => states.push(state) },
    0,
    {
      connect: (after) => {
        const line = new Line(after);
        lines.push(line);
        return line as unknown as WebSocket;
      },
      fetchEvents: page,
      later: (run, ms) => {
        waits.push(ms);
        due.push(run);
      },
    },
  );
  stream.start();
  return stream;
}

/** Lets time pass: whatever was put off is done now. */
async function pass(): Promise<void> {
  for (const run of due.splice(0)) run();
  await new Promise((done) => setTimeout(done, 0));
}

beforeEach(() => {
  [lines, stored, status, readable, got, states, waits, due] = [[], 0, "running", true, [], [], [], []];
});

describe("events arrive in order, each once", () => {
  test("frames are handed on and acknowledged", () => {
    start();
    lines[0]!.events(1, 3);
    lines[0]!.events(4, 4);
    expect(got).toEqual([1, 2, 3, 4]);
    expect(lines[0]!.sent).toEqual(['{"ack":3}', '{"ack":4}']);
  });

  test("duplicates are dropped", () => {
    start();
    lines[0]!.events(1, 3);
    lines[0]!.events(2, 5);
    expect(got).toEqual([1, 2, 3, 4, 5]);
  });

  test("a gap is mended from the database before anything later is shown", async () => {
    start();
    lines[0]!.events(1, 2);
    stored = 9;
    lines[0]!.events(8, 9);
    expect(got).toEqual([1, 2]);
    await pass();
    expect(got).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(lines[1]!.after).toBe(9);
  });

  test("a lost socket is opened again after the last event seen", async () => {
    start();
    lines[0]!.events(1, 2);
    stored = 4;
    lines[0]!.close();
    await pass();
    expect(got).toEqual([1, 2, 3, 4]);
    expect(lines[1]!.after).toBe(4);
    expect(states).toContain("reconnecting");
  });
});

describe("when the socket does not come back", () => {
  test("waits grow, and where the interface answers it is polled", async () => {
    start();
    for (let i = 0; i < 6; i += 1) {
      lines[lines.length - 1]!.close();
      await pass();
    }
    expect(waits).toEqual([0, 500, 1000, 1000, 1000, 1000]);
    expect(states).toContain("polling");
  });

  test("where nothing answers, the waits go on growing and it says so", async () => {
    start();
    readable = false;
    for (let i = 0; i < 8; i += 1) {
      lines[lines.length - 1]!.close();
      await pass();
    }
    expect(waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(states).toContain("failed");
  });
});

describe("the end", () => {
  test("comes with the last event of a run that is over, and no socket is opened after it", async () => {
    start();
    lines[0]!.say({ run: { status: "finished", last_seq: 2 } });
    expect(states.at(-1)).not.toBe("ended");
    lines[0]!.events(1, 2);
    expect(states.at(-1)).toBe("ended");
    await pass();
    expect(lines).toHaveLength(1);
  });

  test("is found from the database when the socket was lost before it", async () => {
    start();
    [stored, status] = [5, "finished"];
    lines[0]!.close();
    await pass();
    expect(got).toEqual([1, 2, 3, 4, 5]);
    expect(states.at(-1)).toBe("ended");
  });

  test("stopping closes the socket for good", async () => {
    const stream = start();
    stream.stop();
    await pass();
    expect(lines).toHaveLength(1);
    expect(lines[0]!.readyState).toBe(3);
  });
});
