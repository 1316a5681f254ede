/** The edits of a what-if as a stack of entries that can be switched off, moved, taken away, undone and done again. */

import type { Edit } from "../api/plans";

export interface Entry {
  readonly edit: Edit;
  readonly on: boolean;
}

const MOST_UNDONE = 200;

export class EditStack {
  private past: (readonly Entry[])[] = [];
  private future: (readonly Entry[])[] = [];
  private now: readonly Entry[];

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

  /** Moves an entry up (−1) or down (+1). */
  move(index: number, by: -1 | 1): void {
    const to = index + by;
    if (to < 0 || to >= this.now.length) return;
    const next = [...this.now];
    [next[index], next[to]] = [next[to]!, next[index]!];
    this.become(next);
  }

  clear(): void {
    if (this.now.length) this.become([]);
  }

  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.now);
    this.now = before;
  }

  redo(): void {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.now);
    this.now = after;
  }

  private become(next: readonly Entry[]): void {
    this.past = [...this.past, this.now].slice(-MOST_UNDONE);
    this.future = [];
    this.now = next;
  }
}

/** The stack as the part of an address after the #; nothing for an empty one. */
export function toFragment(entries: readonly Entry[]): string {
  return entries.length ? `#edits=${encodeURIComponent(JSON.stringify(entries.map(({ edit, on }) => (on ? edit : { ...edit, off: true }))))}` : "";
}

/** The stack of an address; an empty one where there is none or it cannot be read. */
export function fromFragment(fragment: string): Entry[] {
  const text = fragment.startsWith("#edits=") ? fragment.slice("#edits=".length) : "";
  if (!text) return [];
  try {
    const found: unknown = JSON.parse(decodeURIComponent(text));
    if (!Array.isArray(found)) return [];
    return found.filter(isEdit).map(({ off, ...edit }) => ({ edit: edit as Edit, on: off !== true }));
  } catch {
    return [];
  }
}

function isEdit(value: unknown): value is Edit & { off?: boolean } {
  return typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";
}
