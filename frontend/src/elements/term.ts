/** A Kubernetes word that explains itself: `<sp-glossary>` shows its two sentences when it is asked. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import { lookUp } from "../base/glossary";

/** The word, or `shown` in its place; a word the glossary does not have is plain text. */
export function term(word: string, shown = word): TemplateResult {
  if (!lookUp(word)) return html`${shown}`;
  return html`<button type="button" class="term" data-term=${word} aria-haspopup="dialog">${shown}</button>`;
}
