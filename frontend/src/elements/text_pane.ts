/** The YAML side of a profile: the text in its editor, and what is wrong with it at its line. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { causeOf, fieldOf } from "../api/problem";
import { lineOf } from "../trace/config_errors";
import { copyButton, glyph } from "./light";
import type { ProfileDesk } from "./profile_desk";
import "./sp-config-text";
import type { SpConfigText } from "./sp-config-text";

const COMMENT = /(^|\s)#/m;

export function textPane(desk: ProfileDesk, nonce: string): TemplateResult {
  const { text, errors, behind } = desk.now;
  const placed = errors.map((error) => ({ error, line: behind === "text" ? 0 : lineOf(error, text) }));
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
    <sp-config-text class="text-box" .desk=${desk} .version=${desk.now} .nonce=${nonce}></sp-config-text>
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
    <p class="quiet-line" id="yaml-keys">Ctrl+Space offers fields, Ctrl+F finds; Escape, then Tab leaves the text.</p>
    ${behind === "text" && errors.length ? html`<p class="quiet-line">The YAML follows once the form is right.</p>` : nothing}
    ${COMMENT.test(text) ? html`<p class="quiet-line">A change in the form writes the YAML anew, without its comments. Undo brings them back.</p>` : nothing}`;
}

/** Puts the cursor at a line of the text. */
function goTo(event: Event, line: number): void {
  (event.target as Element).closest("aside")?.querySelector<SpConfigText>("sp-config-text")?.goTo(line);
}
