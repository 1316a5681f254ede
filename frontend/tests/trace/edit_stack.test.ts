import { describe, expect, it } from "vitest";
import { EditStack, fromFragment, toFragment } from "../../src/trace/edit_stack";

const cordon = { kind: "cordon", nodes: ["node-1"] };
const lose = { kind: "lose", zone: "a" };

describe("the stack of edits", () => {
  it("counts what is switched on, in order", () => {
    const stack = new EditStack();
    stack.add(cordon, lose);
    stack.toggle(0);
    expect(stack.active).toEqual([lose]);
    stack.toggle(0);
    stack.move(1, -1);
    expect(stack.active).toEqual([lose, cordon]);
    stack.move(0, -1);
    expect(stack.active).toEqual([lose, cordon]);
  });

  it("undoes and does again, until something else is done", () => {
    const stack = new EditStack();
    stack.add(cordon);
    stack.remove(0);
    stack.undo();
    expect(stack.active).toEqual([cordon]);
    stack.redo();
    expect(stack.active).toEqual([]);
    stack.undo();
    stack.add(lose);
    expect(stack.canRedo).toBe(false);
    expect(stack.active).toEqual([cordon, lose]);
    stack.undo();
    stack.undo();
    expect(stack.canUndo).toBe(false);
    expect(stack.active).toEqual([]);
  });

  it("is shared by an address", () => {
    const stack = new EditStack();
    stack.add(cordon, lose);
    stack.toggle(1);
    expect(fromFragment(toFragment(stack.entries))).toEqual(stack.entries);
    expect(toFragment([])).toBe("");
    expect(fromFragment("#edits=%7B")).toEqual([]);
    expect(fromFragment("#edits=%5B1%2C%7B%22kind%22%3A%22wait%22%7D%5D")).toEqual([{ edit: { kind: "wait" }, on: true }]);
  });
});
