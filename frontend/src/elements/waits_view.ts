/** How long pods waited in two runs: how many in each class of time, and the usual figures. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import type { Comparison, Waits } from "../api/compare";
import { count, counted, time } from "../base/format";
import { styled } from "./styled";

const CLASSES = ["not at all", "≤ 10 ms", "≤ 100 ms", "≤ 1 s", "≤ 10 s", "≤ 1 min", "≤ 10 min", "longer"];
const FIGURES: readonly (readonly [string, (waits: Waits) => string])[] = [
  ["Pods that found a node", (waits) => count(waits.num_pods)],
  ["On average", (waits) => waited(waits, waits.mean_us)],
  ["Half at most", (waits) => waited(waits, waits.p50_us)],
  ["95 of 100 at most", (waits) => waited(waits, waits.p95_us)],
  ["The longest", (waits) => waited(waits, waits.max_us)],
];

const waited = (waits: Waits, us: number): string => (waits.num_pods ? time(us) : "–");

export function waitsView(answer: Comparison): TemplateResult {
  const { waits_before: before, waits_after: after } = answer;
  const most = Math.max(1, ...before.classes, ...after.classes);
  const used = CLASSES.map((words, at) => ({ words, before: before.classes[at] ?? 0, after: after.classes[at] ?? 0 }));
  const isUsed = (row: { before: number; after: number }) => row.before > 0 || row.after > 0;
  const shown = used.slice(Math.max(0, used.findIndex(isUsed)), used.findLastIndex(isUsed) + 1);
  const bar = (side: string, value: number) => html`<span class="bar-track"><i class=${side} ${styled({ width: `${((value / most) * 100).toFixed(1)}%` })}></i></span><span class="num">${count(value)}</span>`;
  return html`<section class="sheet waits" aria-labelledby="waits-title">
    <h2 class="sheet-title" id="waits-title">How long pods waited for their node</h2>
    <div class="waits-cols">
      <ul class="waits-bars">
        ${shown.map((row) => html`<li><span class="quiet">${row.words}</span><span class="waits-pair" role="img" aria-label="${counted(row.before, "pod")} in A, ${row.after} in B">${bar("before", row.before)}${bar("after", row.after)}</span></li>`)}
      </ul>
      <table class="parting-table">
        <thead><tr><th scope="col"><span class="visually-hidden">Figure</span></th><th scope="col" class="num"><span class="side-mark before">A</span></th><th scope="col" class="num"><span class="side-mark after">B</span></th></tr></thead>
        <tbody>${FIGURES.map(([words, figure]) => html`<tr><th scope="row">${words}</th><td class="num">${figure(before)}</td><td class="num ${figure(before) === figure(after) ? "quiet" : "other"}">${figure(after)}</td></tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}
