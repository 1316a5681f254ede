import { describe, expect, test } from "vitest";
import { rightIn, somethingRight } from "../../src/api/right_objects";

const two = "kind: Node\nmetadata: {name: good}\n---\nkind: Pod\nmetadata: {name: greedy}\n";
const wrong = { document: 2, object: "Pod greedy", field: "spec", type: "Invalid value", message: "no" };
const file = (name: string, text: string) => ({ name, size: text.length, text: () => Promise.resolve(text) });

describe("what is right in a refused dump", () => {
  test("an object that no error is about is right", () => {
    expect(rightIn(two, [wrong, { ...wrong, field: "status" }])).toBe(1);
    expect(rightIn(`---\n${two}`, [wrong])).toBe(1);
  });

  test("in a document that cannot be read nothing is right, in the others it may be", () => {
    const syntax = { document: 1, type: "Syntax", message: "a tab" };
    expect(rightIn("kind: Node\n\tmetadata: {}\n", [syntax])).toBe(0);
    expect(rightIn(two, [syntax])).toBe(1);
  });

  test("the items of a list count, the list itself does not", () => {
    const list = JSON.stringify({ kind: "List", items: [{ kind: "Node" }, { kind: "Pod" }] });
    expect(rightIn(list, [{ document: 1, field: "items[0].metadata.name", message: "Required value" }])).toBe(1);
    expect(rightIn(list, [0, 1].map((at) => ({ document: 1, field: `items[${at}].x`, message: "no" })))).toBe(0);
  });

  test("another file may be right", async () => {
    const errors = [{ file: "a.yaml", document: 1, object: "Pod a", message: "no" }];
    expect(await somethingRight([file("a.yaml", "kind: Pod\n")], errors)).toBe(false);
    expect(await somethingRight([file("a.yaml", "kind: Pod\n"), file("b.yaml", "kind: Pod\n")], errors)).toBe(true);
  });
});
