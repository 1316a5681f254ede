import { expect, it } from "vitest";
import { Draft } from "../../src/trace/draft";

it("goes back and forth, a burst as one step, until something else is done or it rests", () => {
  const draft = new Draft("");
  for (const text of ["a", "ab", "abc"]) draft.become(text, "typing");
  draft.become("abc!");
  draft.become("abc!d", "typing");
  draft.rest();
  draft.become("abc!de", "typing");
  const seen = [];
  while (draft.canUndo) {
    draft.undo();
    seen.push(draft.now);
  }
  expect(seen).toEqual(["abc!d", "abc!", "abc", ""]);
  while (draft.canRedo) draft.redo();
  expect(draft.now).toBe("abc!de");
  draft.undo();
  draft.become("other");
  expect(draft.canRedo).toBe(false);
});

it("knows a step better without making another", () => {
  const draft = new Draft({ text: "a", lines: 0 });
  draft.become({ text: "b", lines: 0 });
  draft.amend({ text: "b", lines: 1 });
  draft.undo();
  expect(draft.now).toEqual({ text: "a", lines: 0 });
  draft.redo();
  expect(draft.now).toEqual({ text: "b", lines: 1 });
});
