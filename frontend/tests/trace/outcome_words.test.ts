import { expect, it } from "vitest";
import { outcomeWords } from "../../src/trace/outcome_words";
import { recorded, storeOf } from "../fixtures";

it("says how a run goes and went, and nothing before its end is here", () => {
  const { store } = storeOf(recorded("four-reasons"));
  expect(outcomeWords("pending", store, false)).toBe("");
  expect(outcomeWords("running", store, false)).toBe("is placing, 4 cycles so far");
  expect(outcomeWords("finished", store, false)).toBe("");
  expect(outcomeWords("finished", store, true)).toBe("4 pods pending, 4 cycles");
  expect(outcomeWords("cancelled", store, true)).toBe("cancelled after 4 cycles");
  expect(outcomeWords("finished", storeOf(recorded("evicted")).store, true)).toMatch(/^nothing pending, \d+ cycles$/);
});
