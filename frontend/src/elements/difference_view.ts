/** The legend of a what-if's map: which signs stand for what, and how many nodes have each. */

import { html, nothing } from "lit";
import { count, counted } from "../base/format";
import type { ClusterModel } from "../trace/cluster_model";
import type { Mark } from "../trace/difference";
import { glyph } from "./light";
import type { WhatIfDesk } from "./what_if_desk";

const WORDS: Record<Mark["glyph"], [string, string]> = {
  changed: ["changed", "changed"],
  came: ["takes pods", "take pods"],
  left: ["gives pods", "give pods"],
};

export const numNodes = (model: ClusterModel): number => model.nodes.reduce((sum, node) => sum + (node ? 1 : 0), 0);

export function differenceLegend(desk: WhatIfDesk, nodes: number): unknown {
  const { difference, selection } = desk;
  const counts = new Map<Mark["glyph"], number>();
  for (const { glyph: name } of difference.nodes.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === 0 && difference.gone.length === 0) {
    return html`<span class="quiet">${counted(nodes, "node")}, nothing is other than in the cluster${selection.size ? nothing : "; a click chooses one, ctrl or shift several"}</span>`;
  }
  return html`${(["changed", "came", "left"] as const)
      .filter((name) => counts.has(name))
      .map((name) => html`<span class="legend-item">${glyph(name)} ${counted(counts.get(name)!, "node")} ${WORDS[name][counts.get(name) === 1 ? 0 : 1]}</span>`)}
    ${difference.gone.length ? html`<span class="legend-item">${glyph("victim")} ${counted(difference.gone.length, "node")} gone</span>` : nothing}
    ${difference.came.size ? html`<span class="legend-item"><i class="swatch came"></i> ${count(difference.came.size)} came</span>` : nothing}
    ${difference.left.size ? html`<span class="legend-item"><i class="swatch left"></i> was here</span>` : nothing}`;
}
