import { describe, expect, test } from "vitest";
import { CycleDetails } from "../../src/api/cycle_details";
import { ApiError } from "../../src/api/problem";
import { ServerBack, untilAnswered } from "../../src/api/server_back";
import { recorded } from "../fixtures";

const detail = recorded("evicted").details["1"]!;
const settle = () => new Promise((done) => setTimeout(done, 0));

/** A server that is asked whether it is there as often as the answers say, without a clock. */
function watched(answers: boolean[]) {
  const waits: number[] = [];
  const pending: (() => void)[] = [];
  const back = new ServerBack(async () => answers.shift()!, (run, ms) => {
    waits.push(ms);
    pending.push(run);
  });
  const pass = async () => {
    pending.shift()!();
    await settle();
  };
  return { back, waits, pass };
}

describe("a server that does not answer", () => {
  test("is asked ever more seldom, and what failed is repeated once when it is back", async () => {
    const { back, waits, pass } = watched([false, false, true]);
    let repeated = 0;
    const repeat = () => void (repeated += 1);
    back.then(repeat);
    back.then(repeat);
    await pass();
    await pass();
    expect([repeated, waits]).toEqual([0, [500, 1000, 2000]]);
    await pass();
    expect([repeated, waits.length]).toEqual([1, 3]);
  });

  test("is back as soon as a socket says so", async () => {
    const { back } = watched([false]);
    let repeated = 0;
    back.then(() => (repeated += 1));
    back.tell();
    expect(repeated).toBe(1);
  });

  test("gives the detail of a cycle by itself once it is back", async () => {
    const { back, pass } = watched([true]);
    const answers = [() => Promise.reject(new ApiError(0, {})), () => Promise.resolve({ detail })];
    const details = new CycleDetails("run", () => answers.shift()!(), async () => undefined, back);
    details.want(1);
    await settle();
    expect(details.peek(1)?.state).toBe("failed");
    await pass();
    expect(details.peek(1)).toEqual({ state: "ready", detail });
  });

  test("is waited for by a question, a refusal is not", async () => {
    const { back, pass } = watched([true]);
    const answers = [() => Promise.reject(new ApiError(503, {})), () => Promise.resolve(7)];
    const answer = untilAnswered(() => answers.shift()!(), undefined, back);
    await settle();
    await pass();
    expect(await answer).toBe(7);
    await expect(untilAnswered(() => Promise.reject(new ApiError(422, {})), undefined, back)).rejects.toThrow();
  });
});
