/** The core's sentences about why nodes refused a pod. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CycleDetail, ExplanationItem } from "../api/types";
import { count } from "../base/format";
import { glyphOfCode } from "../base/glyphs";
import { glyph } from "./light";

const NAMED = 6;

export function explanationView(detail: CycleDetail, selectNode: (node: string) => void): unknown {
  if (detail.explanation.length === 0 && !detail.decision) return nothing;
  return html`<ul class="explanation">
    ${detail.decision ? html`<li>${glyph("chosen")}<span>${detail.decision}</span></li>` : nothing}
    ${detail.explanation.map((item) => sentence(item, selectNode))}
  </ul>`;
}

function sentence(item: ExplanationItem, selectNode: (node: string) => void): TemplateResult {
  const nodes = item.nodes ?? [];
  const rest = (item.num_nodes ?? nodes.length) - Math.min(nodes.length, NAMED);
  const listed = nodes.length > 0 && (item.num_nodes ?? 0) > 0;
  return html`<li>
    ${item.code ? glyph(glyphOfCode(item.code)) : html`<span class="no-glyph"></span>`}
    <span>
      ${item.text}${listed ? ":" : nothing}
      ${listed
        ? html`<span class="sentence-nodes">
            ${nodes.slice(0, NAMED).map((node) => html`<button type="button" class="link mono" @click=${() => selectNode(node)}>${node}</button> `)}
            ${rest > 0 ? html`<span class="quiet">and ${count(rest)} more</span>` : nothing}
          </span>`
        : nothing}
    </span>
  </li>`;
}
