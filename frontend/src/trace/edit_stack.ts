/** The edits of a what-if as a stack of entries that can be switched off, moved, taken away, undone and done again. */

import type { Ask, Edit } from "../api/plans";

export interface Entry {
  readonly edit: Edit;
  readonly on: boolean;
}

const MOST_UNDONE = 200;
const USUAL: Ask = { ask: "continue" };

export class EditStack {
  private past: (readonly Entry[])[] = [];
  private future: (readonly Entry[])[] = [];
  private now: readonly Entry[];
  /** The movement of a slider that made the last entry. */
  private tuned: symbol | null = null;

  constructor(entries: readonly Entry[] = []) {
    this.now = entries;
  }

  get entries(): readonly Entry[] {
    return this.now;
  }

  /** The edits that count. */
  get active(): Edit[] {
    return this.now.filter((entry) => entry.on).map((entry) => entry.edit);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  add(...edits: readonly Edit[]): void {
    this.become([...this.now, ...edits.map((edit) => ({ edit, on: true }))]);
  }

  remove(index: number): void {
    this.become(this.now.filter((_, at) => at !== index));
  }

  toggle(index: number): void {
    this.become(this.now.map((entry, at) => (at === index ? { ...entry, on: !entry.on } : entry)));
  }

  /** Puts an edit in the place of another. */
  replace(index: number, edit: Edit): void {
    this.become(this.now.map((entry, at) => (at === index ? { ...entry, edit } : entry)));
  }

  /**
   * Puts an edit in the place of the last one while a slider moves: one movement is one step to undo. What is not such an
   * edit of the same movement stays, and the edit comes after it.
   */
  tune(edit: Edit, movement: symbol): void {
    if (this.tuned !== movement || !this.now.length) {
      this.add(edit);
      this.tuned = movement;
    } else this.now = [...this.now.slice(0, -1), { edit, on: true }];
  }

  /** Moves an entry to another place. */
  move(index: number, to: number): void {
    if (to === index || to < 0 || to >= this.now.length) return;
    const next = [...this.now];
    const [moved] = next.splice(index, 1);
    next.splice(to, 0, moved!);
    this.become(next);
  }

  /** Another stack in the place of this one, as one step. */
  load(entries: readonly Entry[]): void {
    this.become(entries);
  }

  clear(): void {
    if (this.now.length) this.become([]);
  }

  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.now);
    this.tuned = null;
    this.now = before;
  }

  redo(): void {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.now);
    this.tuned = null;
    this.now = after;
  }

  private become(next: readonly Entry[]): void {
    this.past = [...this.past, this.now].slice(-MOST_UNDONE);
    this.future = [];
    this.tuned = null;
    this.now = next;
  }
}

/** The stack and the question as the part of an address after the #; nothing for an empty stack and the usual question. */
export function toFragment(entries: readonly Entry[], ask: Ask = USUAL): string {
  const params = new URLSearchParams();
  if (entries.length) params.set("edits", JSON.stringify(entries.map(({ edit, on }) => (on ? edit : { ...edit, off: true }))));
  if (ask.ask !== USUAL.ask) params.set("ask", JSON.stringify(ask));
  const text = params.toString();
  return text && `#${text}`;
}

/** The stack of an address; an empty one where there is none or it cannot be read. */
export function fromFragment(fragment: string): Entry[] {
  const found = read(fragment, "edits");
  return Array.isArray(found) ? found.filter(isEdit).map(({ off, ...edit }) => ({ edit: edit as Edit, on: off !== true })) : [];
}

/** What of an address cannot be read, as a sentence; nothing where all of it can. */
export function unreadOf(fragment: string): string {
  if (!new URLSearchParams(fragment.slice(1)).has("edits")) return "";
  const found = read(fragment, "edits");
  if (!Array.isArray(found)) return "The address is cut off or broken: its edits cannot be read. Ask for the whole link.";
  const bad = found.filter((each) => !isEdit(each)).length;
  return bad ? `${bad} of ${found.length} edits in the address cannot be read and ${bad === 1 ? "is" : "are"} left out.` : "";
}

/** The question of an address. */
export function askFromFragment(fragment: string): Ask {
  const found = read(fragment, "ask") as Ask | null;
  return found !== null && typeof found === "object" && ["reschedule", "replan"].includes(found.ask) ? found : USUAL;
}

function read(fragment: string, name: string): unknown {
  try {
    return JSON.parse(new URLSearchParams(fragment.slice(1)).get(name) ?? "null");
  } catch {
    return null;
  }
}

function isEdit(value: unknown): value is Edit & { off?: boolean } {
  return typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";
}
