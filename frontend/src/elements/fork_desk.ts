/** The edits of a fork that is being put together: told as sentences, and what is wrong with them, by the server. */

import { tellEdits } from "../api/forks";
import type { Edit } from "../api/plans";
import { ApiError } from "../api/problem";
import type { FieldError } from "../api/types";
import { provisionalWords } from "../trace/edit_words";
import { EditStack } from "../trace/edit_stack";
import type { EditDesk } from "./edit_stack_view";

export class ForkDesk implements EditDesk {
  stack = new EditStack();
  problem = "";
  private errors: FieldError[] = [];
  private readonly sentences = new WeakMap<Edit, string>();
  private asked = new AbortController();

  constructor(private readonly changed: () => void) {}

  /** Begins with an empty stack. */
  reset(): void {
    this.stack = new EditStack();
    this.problem = "";
    this.errors = [];
  }

  change(how: (stack: EditStack) => void): void {
    how(this.stack);
    this.changed();
    void this.tell();
  }

  sentenceOf(edit: Edit): string {
    return this.sentences.get(edit) ?? provisionalWords(edit);
  }

  complaintOf(active: number): string {
    return this.errors.find((error) => error.field?.startsWith(`edits[${active}]`))?.message ?? "";
  }

  /** What was refused when the fork was to be started. */
  refuse(error: unknown): void {
    this.problem = error instanceof ApiError ? error.message : "The fork could not be started.";
    this.errors = error instanceof ApiError ? error.errors : [];
    this.changed();
  }

  private async tell(): Promise<void> {
    this.asked.abort();
    const asked = (this.asked = new AbortController());
    const edits = this.stack.active;
    this.problem = "";
    this.errors = [];
    try {
      const told = edits.length ? await tellEdits(edits, asked.signal) : [];
      told.forEach((sentence, at) => this.sentences.set(edits[at]!, sentence));
    } catch (error) {
      if (asked.signal.aborted) return;
      this.refuse(error);
    }
    if (!asked.signal.aborted) this.changed();
  }
}
