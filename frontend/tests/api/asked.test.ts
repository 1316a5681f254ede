import { describe, expect, test } from "vitest";
import { Asked } from "../../src/api/asked";
import { ApiError } from "../../src/api/problem";

const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });

/** Lets the promises that are under way settle. */
const settle = async () => {
  for (let i = 0; i < 8; i += 1) await Promise.resolve();
  await new Promise((done) => setTimeout(done, 0));
};

describe("answers that are asked for", () => {
  test("are asked for once and kept", async () => {
    let times = 0;
    const asked = new Asked<string>(() => undefined, async () => ((times += 1), answer(200, "yes")));
    expect(asked.want("a").state).toBe("loading");
    asked.want("a");
    await settle();
    expect(asked.want("a")).toEqual({ state: "ready", answer: "yes" });
    expect(times).toBe(1);
  });

  test("are asked for again while they are computed", async () => {
    const answers = [answer(202, {}), answer(202, {}), answer(200, 7)];
    const states: string[] = [];
    const asked = new Asked<number>(
      () => {
        const now = asked.want("a");
        states.push(now.state === "loading" ? `loading ${now.replaying}` : now.state);
      },
      async () => answers.shift()!,
      async () => undefined,
    );
    asked.want("a");
    await settle();
    expect(states).toEqual(["loading true", "loading true", "ready"]);
  });

  test("that fail say why, and may be asked for again", async () => {
    const answers = [() => Promise.reject(new ApiError(409, { detail: "the replay disagrees" })), () => Promise.resolve(answer(200, 1))];
    const asked = new Asked<number>(() => undefined, () => answers.shift()!());
    asked.want("a");
    await settle();
    expect(asked.want("a")).toMatchObject({ state: "failed", message: "the replay disagrees" });
    asked.retry("a");
    await settle();
    expect(asked.want("a")).toEqual({ state: "ready", answer: 1 });
  });
});
