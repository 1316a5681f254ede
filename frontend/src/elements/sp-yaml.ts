/** The editor that slides over a what-if: YAML with what is wrong at its lines, and a form of the same object beside it. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { KubeObject } from "../api/objects";
import { judgeManifests } from "../api/plans";
import { ApiError, sentenceOf } from "../api/problem";
import type { FieldError } from "../api/types";
import { count, counted } from "../base/format";
import { toYaml } from "../base/yaml";
import { withScalar } from "../base/yaml_place";
import { formFields, shown, valueOf, withValue } from "../trace/object_form";
import type { FormField } from "../trace/object_form";
import type { Opened } from "./desk_editor";
import { RunView, glyph } from "./light";
import type { YamlEditor } from "./yaml_editor";

const JUDGE_MS = 250;
const IN_PLACE = new Set(["text", "number", "quantity"]);

class SpYaml extends RunView {
  private editor: YamlEditor | null = null;
  private opened: Opened | null = null;
  private objects: KubeObject[] = [];
  private skipped: Record<string, number> = {};
  private errors: FieldError[] = [];
  private judged = "";
  private judging = 0;
  private asked = 0;
  private back: HTMLElement | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
  }

  protected override render(): unknown {
    const opened = this.run.desk?.editor.opened ?? null;
    if (!opened) return nothing;
    return html`<dialog class="yaml" aria-labelledby="yaml-title" @keydown=${this.key}>
      <header class="dialog-head">
        <h2 id="yaml-title">${opened.title}</h2>
        <button type="button" class="icon" aria-label="Close the editor" title="Close" @click=${() => this.close()}>✕</button>
      </header>
      ${this.form()}
      <div class="yaml-text"></div>
      <footer class="yaml-foot">
        <div class="yaml-said" role="status">${this.verdict()}</div>
        <button type="button" class="button primary" ?disabled=${this.errors.length > 0} @click=${() => void this.apply()} title="Ctrl+Enter">${opened.verb}</button>
      </footer>
      <p class="quiet-line" id="yaml-keys">Ctrl+Space offers fields, Ctrl+F finds, Ctrl+Enter applies; Escape, then Tab leaves the text.</p>
    </dialog>`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const opened = this.run.desk?.editor.opened ?? null;
    if (opened === this.opened) return;
    this.leave();
    this.opened = opened;
    if (opened) void this.enter(opened);
    else this.back?.focus();
  }

  private async enter(opened: Opened): Promise<void> {
    this.back = document.activeElement as HTMLElement | null;
    const dialog = this.querySelector("dialog")!;
    dialog.show();
    const { YamlEditor } = await import("./yaml_editor");
    const parent = this.querySelector<HTMLElement>(".yaml-text");
    if (this.opened !== opened || !parent) return;
    this.editor = new YamlEditor({ parent, text: opened.text, label: `${opened.title} as YAML`, nonce: this.nonce, changed: () => this.judgeSoon(), submit: () => void this.apply() });
    this.editor.focus();
    void this.judge();
  }

  private leave(): void {
    this.editor?.destroy();
    this.editor = null;
    this.objects = [];
    this.skipped = {};
    this.errors = [];
    this.judged = "";
    clearTimeout(this.judging);
  }

  private close(): void {
    this.run.desk?.editor.close();
  }

  private readonly key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || (event.target as Element).closest(".cm-editor")) return;
    event.stopPropagation();
    this.close();
  };

  private judgeSoon(): void {
    clearTimeout(this.judging);
    this.judging = window.setTimeout(() => void this.judge(), JUDGE_MS);
  }

  /** Has the server judge what is written; what is wrong is shown at its line. */
  private async judge(): Promise<boolean> {
    clearTimeout(this.judging);
    const { editor } = this;
    if (!editor) return false;
    const text = editor.text;
    const asked = (this.asked += 1);
    try {
      const { objects, skipped } = text.trim() ? await judgeManifests(text) : { objects: [], skipped: {} };
      if (asked !== this.asked || this.editor !== editor) return false;
      this.objects = objects as KubeObject[];
      this.skipped = skipped;
      this.errors = [];
    } catch (error) {
      if (asked !== this.asked || this.editor !== editor) return false;
      this.errors = error instanceof ApiError ? (error.errors.length ? error.errors : [{ message: error.message }]) : [{ message: "It could not be judged." }];
    }
    this.judged = text;
    editor.mark(this.errors);
    this.requestUpdate();
    return this.errors.length === 0;
  }

  private async apply(): Promise<void> {
    const { editor, opened } = this;
    if (!editor || !opened) return;
    const isGood = this.judged === editor.text ? this.errors.length === 0 : await this.judge();
    if (!isGood || this.objects.length === 0) return;
    this.close();
    opened.done(this.objects);
  }

  private verdict(): unknown {
    if (this.errors.length === 0) {
      const { length } = this.objects;
      const left = Object.entries(this.skipped).sort(([a], [b]) => (a < b ? -1 : 1));
      const notRead = left.length ? html` <span class="quiet">Not read by scheduling: ${left.map(([kind, number]) => `${count(number)} ${kind}`).join(", ")}</span>` : nothing;
      if (length) return html`${glyph("fits")} ${counted(length, "object")}, as the API server takes ${length === 1 ? "it" : "them"}${notRead}`;
      return left.length ? notRead : html`<span class="quiet">Nothing is written yet</span>`;
    }
    const [first] = this.errors;
    const line = first!.line;
    return html`<span class="bad">${glyph("refused")} ${this.errors.length > 1 ? html`${counted(this.errors.length, "fault")}; ` : nothing}${line ? html`<button type="button" class="link" @click=${() => this.editor?.goTo(line)}>line ${line}</button>: ` : nothing}${sentenceOf(first!)}</span>`;
  }

  /** The fields of the one object that is written, if there is a form for its kind. */
  private form(): unknown {
    const [object, second] = this.objects;
    const fields = object && !second ? formFields(object.kind) : [];
    if (!object || fields.length === 0) return nothing;
    return html`<details class="yaml-form" open>
      <summary>Form</summary>
      <div class="yaml-fields" role="group" aria-label="${object.kind} by a form">${fields.map((field) => this.field(object, field))}</div>
    </details>`;
  }

  private field(object: KubeObject, field: FormField): TemplateResult {
    const value = shown(object, field);
    const isOff = this.errors.length > 0;
    if (field.kind === "flag") {
      return html`<label class="check"><input type="checkbox" .checked=${value === "true"} ?disabled=${isOff} @change=${(event: Event) => this.put(field, String((event.target as HTMLInputElement).checked))} /> ${field.label}</label>`;
    }
    return html`<label><span>${field.label}</span>
      <input type=${field.kind === "number" ? "number" : "text"} placeholder=${field.hint ?? ""} .value=${value} ?disabled=${isOff} @change=${(event: Event) => this.put(field, (event.target as HTMLInputElement).value)} /></label>`;
  }

  /** Writes a field of the form into the text: on its line where it stands there, with all else as it is. */
  private put(field: FormField, written: string): void {
    const { editor } = this;
    const [object] = this.objects;
    if (!editor || !object) return;
    const value = valueOf(written, field);
    const line = IN_PLACE.has(field.kind) && value !== undefined ? withScalar(editor.text, field.path, toYaml(value).trim()) : null;
    editor.replace(line ?? toYaml(withValue(object, field.path, value)));
    void this.judge();
  }
}

customElements.define("sp-yaml", SpYaml);
