/** Why not this node: the core's answer about one pod and one node, with what would make it fit. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { AskedState } from "../api/asked";
import type { NodeAnswer, NodeVerdict, RemedyItem } from "../api/detail";
import type { GlyphName } from "../base/glyphs";
import { glyph, skeleton } from "./light";

export const GLYPH_OF_VERDICT: Record<NodeVerdict, GlyphName> = {
  chosen: "chosen",
  fits: "fits",
  refused: "refused",
  refused_for_good: "final",
  not_looked_at: "skipped",
  unknown: "absent",
};

export function answerView(asked: AskedState<NodeAnswer>, retry: () => void): TemplateResult {
  if (asked.state === "loading") {
    return html`<div class="answer">${asked.replaying ? html`<p class="quiet-line">Computed again by replaying the run to this cycle.</p>` : nothing}${skeleton(2, "Reading why")}</div>`;
  }
  if (asked.state === "failed") return html`<p class="bad">${asked.message} <button type="button" class="button small" @click=${retry}>Try again</button></p>`;
  const { answer } = asked;
  return html`<div class="answer" role="status">
    <p class="answer-text">${glyph(GLYPH_OF_VERDICT[answer.verdict])}<span>${answer.text}</span></p>
    ${answer.remedies.length
      ? html`<p class="answer-fit">${answer.remedies.length > 1 ? "What would make it fit, all of these together:" : "What would make it fit:"}</p>
          ${remedyList(answer.remedies)}`
      : nothing}
    ${answer.preemption ? html`<p class="quiet">${answer.preemption}</p>` : nothing}
  </div>`;
}

function remedyList(remedies: readonly RemedyItem[]): TemplateResult {
  return html`<ul class="remedies">
    ${remedies.map((one) => html`<li><span>${one.text}</span> ${one.plugin ? html`<span class="mono quiet">${one.plugin}</span>` : nothing}</li>`)}
  </ul>`;
}

/** What would make the pod fit somewhere, the smallest change first. */
export function remediesView(remedies: readonly RemedyItem[]): unknown {
  if (remedies.length === 0) return nothing;
  return html`<section class="fit" aria-label="What would make it fit">
    <header class="sub"><h3>What would make it fit</h3></header>
    ${remedyList(remedies)}
  </section>`;
}
