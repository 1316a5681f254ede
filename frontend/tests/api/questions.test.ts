import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Question } from "../../src/api/questions";
import type { PlanBody, Repairs } from "../../src/api/questions";

const BODY: PlanBody = { cluster: "c", question: "repairs", edits: [], ask: { ask: "continue" }, pod: "shop/web" };
const job = (status: string, more: object = {}) => ({ id: "j", kind: "plan", status, progress: {}, result: null, errors: [], message: "", ...more });

let sent: string[];
let answers: (() => Promise<Response>)[];

const says = (status: number, body: unknown) => () => Promise.resolve(new Response(JSON.stringify(body), { status }));
const never = () => new Promise<Response>(() => undefined);

beforeEach(() => {
  sent = [];
  answers = [];
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push(`${init.method ?? "GET"} ${path}`);
    return (answers.shift() ?? never)();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("a question of planning", () => {
  it("shows what is known while it is asked, then the answer", async () => {
    answers = [
      says(202, job("running")),
      says(200, job("running", { progress: { done: 7, total: 23, unit: "changes", so_far: { text: "one" } } })),
      says(200, job("finished", { result: { answer: { text: "both" } } })),
    ];
    const seen: string[] = [];
    const question = new Question<Repairs>(() => seen.push(`${question.state} ${question.job?.progress.done ?? "-"} ${question.answer?.text ?? "-"}`));
    await question.ask(BODY);
    expect(seen).toEqual(["asking - -", "asking - -", "asking 7 one", "answered - both"]);
    expect(sent).toEqual(["POST /api/v1/plans", "GET /api/v1/jobs/j", "GET /api/v1/jobs/j"]);
    expect(question.isStale(BODY)).toBe(false);
    expect(question.isStale({ ...BODY, edits: [{ kind: "cordon", nodes: ["a"] }] })).toBe(true);
  });

  it("says what is done until something was tried", async () => {
    answers = [
      says(202, job("running", { progress: { done: 0, total: null, unit: "", text: "Placing pods" } })),
      says(200, job("running", { progress: { done: 0, total: null, unit: "", text: "Placing pods" } })),
      says(200, job("running", { progress: { done: 7, total: null, unit: "pods", text: "Placing pods" } })),
      says(200, job("finished", { result: { answer: { text: "8 fit" } } })),
    ];
    const seen: string[] = [];
    const question = new Question<Repairs>(() => seen.push(question.words));
    await question.ask(BODY);
    expect(seen.slice(-3)).toEqual(["Placing pods", "tried 7 pods", "asking"]);
  });

  it("keeps what is known when it is stopped, and has the job cancelled", async () => {
    answers = [says(202, job("running")), says(200, job("running", { progress: { done: 1, total: 2, so_far: { text: "one" } } }))];
    const question = new Question<Repairs>(() => undefined);
    void question.ask(BODY);
    await vi.waitFor(() => expect(question.answer?.text).toBe("one"));
    question.stop();
    expect(question.state).toBe("stopped");
    expect(question.answer?.text).toBe("one");
    expect(question.job?.progress.done).toBe(1);
    expect(sent.at(-1)).toBe("POST /api/v1/jobs/j/cancel");
  });

  it("says what is wrong with it, by field", async () => {
    answers = [says(422, { detail: "no", errors: [{ field: "pod", message: "there is no pod 'shop/web'" }] })];
    const question = new Question<Repairs>(() => undefined);
    await question.ask(BODY);
    expect(question.state).toBe("failed");
    expect(question.errors.map((error) => error.message)).toEqual(["there is no pod 'shop/web'"]);
  });
});
