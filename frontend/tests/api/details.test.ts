import { describe, expect, test } from "vitest";
import type { DetailAnswer } from "../../src/api/client";
import { CycleDetails } from "../../src/api/cycle_details";
import { ApiError, errorOf, placeOf, sentenceOf } from "../../src/api/problem";
import { recorded } from "../fixtures";

const detail = recorded("evicted").details["1"]!;
const settle = () => new Promise((done) => setTimeout(done, 0));

describe("details of cycles", () => {
  test("are asked for once and kept", async () => {
    let asked = 0;
    const details = new CycleDetails("run", async () => {
      asked += 1;
      return { detail };
    });
    expect(details.want(1)).toEqual({ state: "loading", replaying: false });
    details.want(1);
    await settle();
    expect(details.want(1)).toEqual({ state: "ready", detail });
    expect(asked).toBe(1);
  });

  test("that are computed again are waited for by the server, and where it does not, as long as it says", async () => {
    const answers: DetailAnswer[] = [{ retryAfter: 2 }, { retryAfter: 1 }, { retryAfter: 0 }, { detail }, { detail }];
    const waits: number[] = [];
    const prefers: (number | undefined)[] = [];
    const details = new CycleDetails(
      "run",
      async (_run, _cycle, _signal, wait) => {
        prefers.push(wait);
        return answers.shift()!;
      },
      async (ms) => void waits.push(ms),
    );
    details.want(1);
    await settle();
    expect(prefers).toEqual([0, 10, 10, 10]);
    expect(waits).toEqual([1000, 0]);
    expect(details.peek(1)?.state).toBe("ready");
    details.want(2);
    await settle();
    expect(prefers).toEqual([0, 10, 10, 10, 10]);
  });

  test("that are likely to be wanted are asked for one after the other, until one is wanted", async () => {
    const asked: number[] = [];
    const answers = new Map<number, (answer: DetailAnswer) => void>();
    const details = new CycleDetails("run", (_, cycle) => {
      asked.push(cycle);
      return new Promise((done) => answers.set(cycle, done));
    });
    details.want(5);
    answers.get(5)!({ detail });
    await settle();
    void details.prepare([5, 6, 4, 7]);
    expect(asked).toEqual([5, 6]);
    answers.get(6)!({ detail });
    await settle();
    expect(details.want(6)).toEqual({ state: "ready", detail });
    expect(asked).toEqual([5, 6, 4]);
    details.want(9);
    answers.get(4)!({ detail });
    await settle();
    expect(details.peek(4)).toBeUndefined();
    expect(asked).toEqual([5, 6, 4, 9]);
  });

  test("that take long are given up when two others were asked for since", async () => {
    const asked: number[] = [];
    const never = new CycleDetails("run", async (_, cycle) => {
      asked.push(cycle);
      return { retryAfter: 1 };
    }, () => new Promise((done) => setTimeout(done, 5)));
    for (const cycle of [1, 2, 3]) never.want(cycle);
    await settle();
    expect(never.slow).toBe(true);
    expect(never.peek(1)).toBeUndefined();
    asked.length = 0;
    await new Promise((done) => setTimeout(done, 30));
    expect(new Set(asked)).toEqual(new Set([2, 3]));
    never.want(1);
    never.want(4);
    await settle();
    expect(never.peek(2)).toBeUndefined();
  });

  test("that cannot be had say why, and can be asked for again", async () => {
    let broken = true;
    const details = new CycleDetails("run", async () => {
      if (broken) throw new ApiError(404, { detail: "There is no cycle 9." });
      return { detail };
    });
    details.want(9);
    await settle();
    expect(details.peek(9)).toEqual({ state: "failed", message: "There is no cycle 9." });
    broken = false;
    details.retry(9);
    await settle();
    expect(details.peek(9)?.state).toBe("ready");
  });

  test("are forgotten when too many are kept", async () => {
    const details = new CycleDetails("run", async () => ({ detail }));
    for (let cycle = 1; cycle <= 70; cycle += 1) {
      details.want(cycle);
      await settle();
    }
    expect(details.peek(1)).toBeUndefined();
    expect(details.peek(70)?.state).toBe("ready");
  });
});

describe("errors are sentences", () => {
  test("with the place, the field, the value and the cause", () => {
    const error = {
      file: "dump.yaml",
      document: 2,
      line: 14,
      column: 9,
      field: "spec.containers[0].resources.requests[cpu]",
      value: "6GiB",
      type: "Invalid value",
      message: "must match a regular expression",
      object: "Pod q-gib",
      container: "main",
    };
    expect(placeOf(error)).toBe("dump.yaml, document 2, line 14:9");
    expect(sentenceOf(error)).toBe('Pod q-gib, container main: spec.containers[0].resources.requests[cpu]: "6GiB": Invalid value: must match a regular expression');
    expect(placeOf({ message: "x" })).toBe("");
  });

  test("come from the problem document, or from the status where there is none", async () => {
    const problem = { title: "Invalid", detail: "Two objects are wrong.", errors: [{ message: "a" }, { message: "b" }] };
    const told = await errorOf(new Response(JSON.stringify(problem), { status: 422 }));
    expect(told.message).toBe("Two objects are wrong.");
    expect(told.errors).toHaveLength(2);
    const untold = await errorOf(new Response("<html>", { status: 500 }));
    expect(untold.message).toMatch(/^The server failed/);
  });
});
