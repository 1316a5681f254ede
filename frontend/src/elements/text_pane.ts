/** The YAML side of a profile: the text with its lines' numbers, and what is wrong with it at its line. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { causeOf, fieldOf } from "../api/problem";
import { lineOf } from "../trace/config_errors";
import { copyButton, glyph } from "./light";
import type { ProfileDesk } from "./profile_desk";

const COMMENT = /(^|\s)#/m;

export function textPane(desk: ProfileDesk): TemplateResult {
  const { text, errors, behind } = desk.now;
  const placed = errors.map((error) => ({ error, line: behind === "text" ? 0 : lineOf(error, text) }));
  const wrong = new Set(placed.map(({ line }) => line));
  const openFile = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    desk.draft.rest();
    desk.write(await file.text());
    if (!desk.now.name) desk.rename(file.name);
    input.value = "";
  };
  return html`<header class="text-head">
      <h2 class="board-title">YAML</h2>
      ${copyButton(text, "the YAML")}
      <label class="button small file-button">Open a file<input type="file" accept=".yaml,.yml,.json,.conf,text/*" @change=${openFile} /></label>
    </header>
    <div class="text-box">
      <pre class="line-numbers" aria-hidden="true">${text.split("\n").map((_, at) => html`<span class=${wrong.has(at + 1) ? "wrong" : ""}>${at + 1}\n</span>`)}</pre>
      <textarea class="mono" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-label="KubeSchedulerConfiguration as YAML" aria-invalid=${errors.length > 0} .value=${text}
        @input=${(event: Event) => desk.write((event.target as HTMLTextAreaElement).value)} @scroll=${followScroll}></textarea>
    </div>
    <div aria-live="polite">
      ${errors.length
        ? html`<ul class="text-errors">
            ${placed.map(({ error, line }) => html`<li>
              ${glyph("refused")}
              ${line ? html`<button type="button" class="link num" @click=${(event: Event) => goTo(event, line)}>line ${line}</button>` : nothing}
              <span>${error.field ? html`<span class="mono">${fieldOf(error)}</span> ` : nothing}${causeOf(error)}</span>
            </li>`)}
          </ul>`
        : nothing}
    </div>
    ${behind === "text" && errors.length ? html`<p class="quiet-line">The YAML follows once the form is right.</p>` : nothing}
    ${COMMENT.test(text) ? html`<p class="quiet-line">A change in the form writes the YAML anew, without its comments. Undo brings them back.</p>` : nothing}`;
}

function followScroll(event: Event): void {
  const field = event.target as HTMLTextAreaElement;
  (field.previousElementSibling as HTMLElement).scrollTop = field.scrollTop;
}

/** Selects a line of the text. */
function goTo(event: Event, line: number): void {
  const field = (event.target as Element).closest("aside")?.querySelector("textarea");
  if (!field) return;
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
