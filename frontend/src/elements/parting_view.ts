/** The first cycle that went otherwise, opened: who was placed where, and which filter or score tipped it, with both runs' numbers. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Comparison, DivergingCycle, ScoreRow } from "../api/compare";
import { count, podName, time } from "../base/format";
import { glyph, nameText } from "./light";
import { term } from "./term";

const ROWS = 8;

export function partingView(answer: Comparison, goto: (cycle: DivergingCycle) => void): unknown {
  const cycle = answer.first_diverging_cycle;
  const difference = answer.first_difference;
  if (!difference) return nothing;
  if (!cycle) {
    return html`<section class="sheet parting" aria-labelledby="parting-title">
      <h2 class="sheet-title" id="parting-title">Where they part</h2>
      <p>Every attempt ended alike. The first event that is another one stands at t = ${time(difference.t_us)}: ${difference.after || "the end"}; in A ${difference.before || "the end"}.</p>
    </section>`;
  }
  return html`<section class="sheet parting" aria-labelledby="parting-title">
    <h2 class="sheet-title" id="parting-title">Where they part: <button type="button" class="link accent" @click=${() => goto(cycle)}>cycle ${count(cycle.cycle_after || cycle.cycle_before)}</button></h2>
    <p class="parting-pod">${nameText(cycle.pod, podName(cycle.pod))}</p>
    <dl class="parting-ends">${end("A", cycle.cycle_before, cycle.node_before)} ${end("B", cycle.cycle_after, cycle.node_after)}</dl>
    ${cycle.tipped_by.map((text, at) => html`<p class=${at ? "quiet" : "parting-why"}>${text}</p>`)}
    ${filters(cycle)} ${scores(cycle)}
    <p class="quiet">The first event that is another one, at t = <span class="num">${time(difference.t_us)}</span>: ${difference.after || "the end"}</p>
  </section>`;
}

function end(letter: "A" | "B", cycle: number, node: string): TemplateResult {
  const words = !cycle ? html`<span class="quiet">no such attempt</span>` : node ? html`${glyph("chosen", "chosen")} ${nameText(node)}` : html`${glyph("unschedulable")} no node`;
  return html`<div><dt><span class="side-mark ${letter === "A" ? "before" : "after"}">${letter}</span></dt><dd>${words}</dd></div>`;
}

/** Nodes that each filter refused in both attempts. */
function filters(cycle: DivergingCycle): unknown {
  const rows = cycle.refused.slice(0, ROWS);
  if (cycle.feasible_before === null && cycle.feasible_after === null) return nothing;
  const cell = (value: number | null, other: number | null) => html`<td class="num ${value === other ? "quiet" : "other"}">${value === null ? "–" : count(value)}</td>`;
  return html`<table class="parting-table">
    <thead><tr><th scope="col">Nodes refused by</th>${heads()}</tr></thead>
    <tbody>
      ${rows.map((row) => html`<tr><th scope="row">${term(row.plugin)}</th>${cell(row.before, row.after)}${cell(row.after, row.before)}</tr>`)}
      <tr class="total"><th scope="row">Nodes that fitted</th>${cell(cycle.feasible_before, cycle.feasible_after)}${cell(cycle.feasible_after, cycle.feasible_before)}</tr>
    </tbody>
  </table>`;
}

const heads = (): TemplateResult => html`<th scope="col" class="num"><span class="side-mark before">A</span></th><th scope="col" class="num"><span class="side-mark after">B</span></th>`;

/** What each plugin gave the two winners: by how much the second one led. */
function scores(cycle: DivergingCycle): unknown {
  if (!cycle.scores.length) return nothing;
  const points = (row: ScoreRow) => [row.old_before, row.new_before, row.old_after, row.new_after];
  const total = [0, 1, 2, 3].map((at) => (points(cycle.scores[0]!)[at] === null ? null : cycle.scores.reduce((sum, row) => sum + (points(row)[at] ?? 0), 0)));
  const tilted = (row: ScoreRow) => !points(row).includes(null) && row.new_before! - row.old_before! !== row.new_after! - row.old_after!;
  const shown = (value: number | null) => html`<td class="num">${value === null ? "–" : count(value)}</td>`;
  return html`<div class="parting-scroll" tabindex="0" role="group" aria-label="Points of both winners"><table class="parting-table">
    <thead>
      <tr><th scope="col" rowspan="2">Points by</th><th scope="colgroup" colspan="2"><span class="side-mark before">A</span></th><th scope="colgroup" colspan="2"><span class="side-mark after">B</span></th></tr>
      <tr>${[cycle.node_before, cycle.node_after, cycle.node_before, cycle.node_after].map((node) => html`<th scope="col" class="num">${nameText(node)}</th>`)}</tr>
    </thead>
    <tbody>
      ${cycle.scores.slice(0, ROWS).map((row) => html`<tr class=${tilted(row) ? "tilted" : ""}><th scope="row">${term(row.plugin)}</th>${points(row).map(shown)}</tr>`)}
      <tr class="total"><th scope="row">All</th>${total.map(shown)}</tr>
    </tbody>
  </table></div>`;
}
