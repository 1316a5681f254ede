/**
 * What the editor of a profile is about: name, text and form, each following the other; what is stored of it; the way back.
 * What is not saved is kept in the browser and is there again when the page is.
 */

import { keepProfile, readCatalogue, readConfig, readProfile, writeConfig } from "../api/profiles";
import type { Catalogue, ConfigForm, Difference, Kept } from "../api/profiles";
import { ApiError, sentenceOf } from "../api/problem";
import type { FieldError } from "../api/types";
import { counted } from "../base/format";
import { Draft } from "../trace/draft";

export interface Version {
  name: string;
  text: string;
  /** What the text says; nothing while no text could be read. */
  form: ConfigForm | null;
  differences: Difference[];
  errors: FieldError[];
  /** The side that has yet to follow the other. */
  behind: "" | "form" | "text";
}

interface Stored {
  name: string;
  text: string;
  etag: string;
}

type Remembered = Stored & { at: number };

const PAUSE_MS = 250;

export class ProfileDesk {
  readonly draft: Draft<Version>;
  catalogue: Catalogue | null = null;
  /** What could not be done, in a sentence. */
  problem = "";
  saving = false;
  /** When the unsaved changes were made that are there again. */
  restored = 0;
  /** What somebody else has stored meanwhile. */
  theirs: Kept | null = null;
  private asked = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly key: string;

  constructor(
    public id: string,
    private stored: Stored,
    shown: Pick<Version, "name" | "text">,
    search: string,
    private readonly changed: () => void,
  ) {
    this.key = `profile ${id || `new${search}`}`;
    const fresh: Version = { ...shown, form: null, differences: [], errors: [], behind: "form" };
    this.draft = new Draft(fresh);
    const kept = this.remembered();
    if (!kept) return;
    this.draft.become({ ...fresh, name: kept.name, text: kept.text });
    this.restored = kept.at;
    this.stored = { ...stored, etag: kept.etag };
  }

  get now(): Version {
    return this.draft.now;
  }

  get isChanged(): boolean {
    return this.now.name !== this.stored.name || this.now.text !== this.stored.text || this.now.behind === "text";
  }

  /** Reads what a form can choose from, and the text. */
  async open(): Promise<void> {
    try {
      this.catalogue ??= await readCatalogue();
      await this.settle();
    } catch (error) {
      this.problem = sentence(error);
      this.changed();
    }
  }

  rename(name: string): void {
    this.draft.become({ ...this.now, name }, "name");
    this.note();
  }

  write(text: string): void {
    this.draft.become({ ...this.now, text, behind: "form" }, "text");
    this.note();
    this.asked.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.settle(), PAUSE_MS);
  }

  /** Changes the form; where there is none, because no text could be read, nothing. */
  change(how: (form: ConfigForm) => ConfigForm, burst = ""): void {
    const { form } = this.now;
    if (!form || this.now.behind === "form") return;
    this.draft.become({ ...this.now, form: how(form), errors: [], behind: "text" }, burst);
    this.note();
    void this.settle();
  }

  undo(): void {
    this.draft.undo();
    this.note();
    void this.settle();
  }

  redo(): void {
    this.draft.redo();
    this.note();
    void this.settle();
  }

  /** Back to what is stored. */
  drop(): void {
    this.draft.become({ ...this.now, name: this.stored.name, text: this.stored.text, behind: "form" });
    this.restored = 0;
    this.note();
    void this.settle();
  }

  /** Lets the side that is behind follow the other. */
  async settle(): Promise<void> {
    clearTimeout(this.timer);
    this.asked.abort();
    const { signal } = (this.asked = new AbortController());
    const before = this.now;
    if (!before.behind) return;
    try {
      const text = before.behind === "text" ? await writeConfig(before.form!, before.text, signal) : before.text;
      const read = await readConfig(text, signal);
      if (signal.aborted) return;
      this.draft.amend({ ...this.now, text, ...read, errors: [], behind: "" });
      if (before.behind === "form") this.draft.rest();
      this.problem = "";
    } catch (error) {
      if (signal.aborted) return;
      const errors = error instanceof ApiError ? error.errors : [];
      this.draft.amend({ ...this.now, errors });
      this.problem = errors.length ? "" : sentence(error);
    }
    this.note();
  }

  /** Stores it; where somebody else has stored something since, shows that and stores nothing. */
  async save(): Promise<boolean> {
    if (this.saving) return false;
    this.saving = true;
    this.problem = "";
    this.changed();
    await this.settle();
    const { name, text, behind } = this.now;
    try {
      if (behind === "text") throw new ApiError(422, { detail: "The form has errors; mend them first." });
      const kept = await keepProfile(name, text, this.id, this.stored.etag);
      this.id = kept.profile.id;
      this.stored = { name, text, etag: kept.etag };
      this.restored = 0;
      this.theirs = null;
      this.draft.rest();
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) await this.lookAtTheirs();
      else {
        this.problem = saveProblem(error);
        if (error instanceof ApiError && error.errors.length && behind !== "text") this.draft.amend({ ...this.now, errors: error.errors });
      }
    }
    this.saving = false;
    this.note();
    return !this.isChanged && !this.problem && !this.theirs;
  }

  private async lookAtTheirs(): Promise<void> {
    try {
      this.theirs = await readProfile(this.id);
    } catch (error) {
      this.problem = error instanceof ApiError && error.status === 404 ? "The profile was deleted meanwhile. Copy the YAML into a new one to keep it." : sentence(error);
    }
  }

  /** Ends a conflict: with what the other stored, or by storing this over it. */
  async decide(mine: boolean): Promise<void> {
    const { theirs } = this;
    if (!theirs) return;
    this.stored = { name: theirs.profile.name, text: theirs.profile.config, etag: theirs.etag };
    this.theirs = null;
    if (mine) await this.save();
    else this.drop();
  }

  private note(): void {
    try {
      if (this.isChanged) {
        const kept: Remembered = { name: this.now.name, text: this.now.text, etag: this.stored.etag, at: Date.now() };
        localStorage.setItem(this.key, JSON.stringify(kept));
      } else localStorage.removeItem(this.key);
    } catch {
      // No room or not allowed: the page asks before it is left.
    }
    this.changed();
  }

  /** Whether what is not saved is kept in this browser. */
  get isRemembered(): boolean {
    const kept = this.remembered();
    return kept !== null && kept.text === this.now.text && kept.name === this.now.name && this.now.behind !== "text";
  }

  private remembered(): Remembered | null {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "null") as Remembered | null;
      return kept && typeof kept.text === "string" && typeof kept.name === "string" ? kept : null;
    } catch {
      return null;
    }
  }
}

/** Why it could not be stored: the first fault with its line, where there is one. */
function saveProblem(error: unknown): string {
  const [first, ...others] = error instanceof ApiError ? error.errors : [];
  if (!first) return sentence(error);
  const more = others.length ? `, and ${counted(others.length, "more fault")}` : "";
  return `Not saved: ${first.line ? `line ${first.line}: ` : ""}${sentenceOf(first)}${more}`;
}

function sentence(error: unknown): string {
  return error instanceof ApiError ? error.message : "The answer could not be read.";
}
