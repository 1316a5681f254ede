import { describe, expect, it, test } from "vitest";
import { EDIT_KINDS, provisionalWords } from "../../src/trace/edit_words";

describe("an edit before its sentence is here", () => {
  it("is an imperative with what it is about", () => {
    expect(provisionalWords({ kind: "cordon", nodes: ["a", "b"] })).toBe("Cordon a, b");
    expect(provisionalWords({ kind: "setRequests", object: "Deployment/shop/web" })).toBe("Set the requests of Deployment/shop/web");
    expect(provisionalWords({ kind: "addNodes", like: "a", count: 2 })).toBe("Add nodes like a");
    expect(provisionalWords({ kind: "lose", zone: "b" })).toBe("Lose b");
    expect(provisionalWords({ kind: "untaint" })).toBe("Take the taint");
  });

  test.each(EDIT_KINDS)("never shows the raw word %s", (kind) => {
    expect(provisionalWords({ kind, object: "x" })).toMatch(/^[A-Z][a-z]+( [a-z]+)* x$/);
  });
});
