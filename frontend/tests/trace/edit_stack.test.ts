import { describe, expect, it } from "vitest";
import { EditStack, askFromFragment, fromFragment, toFragment, unreadOf } from "../../src/trace/edit_stack";

const edit = (name: string) => ({ kind: "cordon", nodes: [name] });
const names = (stack: EditStack) => stack.active.map((one) => (one["nodes"] as string[])[0]);

function stackOf(...all: string[]): EditStack {
  const stack = new EditStack();
  stack.add(...all.map(edit));
  return stack;
}

describe("a stack of edits", () => {
  it("counts only what is switched on", () => {
    const stack = stackOf("a", "b");
    stack.toggle(0);
    expect(names(stack)).toEqual(["b"]);
  });

  it("moves an entry to any place, and back by undo", () => {
    const stack = stackOf("a", "b", "c");
    stack.move(0, 2);
    expect(names(stack)).toEqual(["b", "c", "a"]);
    stack.move(2, 3);
    expect(names(stack)).toEqual(["b", "c", "a"]);
    stack.undo();
    expect(names(stack)).toEqual(["a", "b", "c"]);
  });

  it("takes one movement of a slider as one step", () => {
    const stack = stackOf("a");
    const movement = Symbol("slider");
    for (const at of ["b", "c", "d"]) stack.tune(edit(at), movement);
    expect(names(stack)).toEqual(["a", "d"]);
    stack.undo();
    expect(names(stack)).toEqual(["a"]);
    stack.redo();
    stack.tune(edit("e"), movement);
    expect(names(stack)).toEqual(["a", "d", "e"]);
  });

  it("begins anew after an edit between two movements", () => {
    const stack = stackOf();
    const movement = Symbol("slider");
    stack.tune(edit("a"), movement);
    stack.add(edit("b"));
    stack.tune(edit("c"), movement);
    expect(names(stack)).toEqual(["a", "b", "c"]);
  });

  it("comes back from its address, with what is switched off", () => {
    const stack = stackOf("a", "ü&#");
    stack.toggle(0);
    expect(fromFragment(toFragment(stack.entries))).toEqual(stack.entries);
    expect(fromFragment("#edits=%7B")).toEqual([]);
    expect(toFragment([])).toBe("");
  });

  it("says what of an address cannot be read", () => {
    const broken = "The address is cut off or broken: its edits cannot be read. Ask for the whole link.";
    for (const cut of ["#edits=%5B%7B%22kind%22%3A%22cord", "#edits=zzz", "#edits=", "#edits=5"]) expect(unreadOf(cut)).toBe(broken);
    expect(unreadOf("#edits=[5]")).toBe("1 of 1 edits in the address cannot be read and is left out.");
    expect(unreadOf('#edits=[{},5,{"kind":"cordon"}]')).toBe("2 of 3 edits in the address cannot be read and are left out.");
    for (const whole of ["", "#ask=%7B", toFragment(stackOf("a").entries)]) expect(unreadOf(whole)).toBe("");
  });

  it("has the question in its address where it is not the usual one", () => {
    const ask = { ask: "reschedule" as const, pods: ["shop/web-1"] };
    const fragment = toFragment(stackOf("a").entries, ask);
    expect(askFromFragment(fragment)).toEqual(ask);
    expect(fromFragment(fragment)).toHaveLength(1);
    expect(askFromFragment("#ask=%7B%22ask%22%3A%22weather%22%7D")).toEqual({ ask: "continue" });
  });
});
