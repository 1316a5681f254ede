import { expect, it } from "vitest";
import { outcomeWords } from "../../src/trace/outcome_words";
import { recorded, storeOf } from "../fixtures";

it("says how a run goes and went, and nothing before its end is here", () => {
  const { store } = storeOf(recorded("four-reasons"));
  const headline = [{ text: "4 of 5 pods stay pending", tone: "bad" as const }, { text: "1 pod preempted" }];
  expect(outcomeWords({ status: "pending", headline }, store, false)).toBe("");
  expect(outcomeWords({ status: "running", headline }, store, false)).toBe("is placing, 4 cycles so far");
  expect(outcomeWords({ status: "finished", headline }, store, false)).toBe("");
  expect(outcomeWords({ status: "finished", headline }, store, true)).toBe("4 of 5 pods stay pending, 4 cycles");
  expect(outcomeWords({ status: "cancelled", headline }, store, true)).toBe("cancelled after 4 cycles");
});
