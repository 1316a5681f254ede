/** What preemption looked at: candidates by the five criteria, which of them decided, and the nodes it cannot help. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CandidateItem, CycleDetail } from "../api/detail";
import { count, counted, podName } from "../base/format";
import { glyph } from "./light";
import { term } from "./term";

const SHOWN = 10;
const VICTIMS_NAMED = 4;

interface Criterion {
  /** As the core names the one that decided. */
  name: string;
  title: string;
  value: (candidate: CandidateItem) => string;
}

const CRITERIA: readonly Criterion[] = [
  { name: "fewest disruption budget violations", title: "PDB violations", value: (one) => count(one.num_pdb_violations ?? 0) },
  { name: "lowest highest priority of a victim", title: "highest priority", value: (one) => count(one.highest_priority ?? 0) },
  { name: "lowest sum of priorities", title: "sum of priorities", value: (one) => count(one.sum_of_priorities ?? 0) },
  { name: "fewest victims", title: "victims", value: (one) => count(one.victims.length) },
  { name: "latest start of the most important victims", title: "started", value: (one) => started(one.start_us) },
];

export interface PreemptionHost {
  selectPod(name: string): void;
  selectNode(name: string): void;
}

export function preemptionView(detail: CycleDetail, host: PreemptionHost): unknown {
  const { preemption } = detail;
  if (!preemption) return nothing;
  const candidates = preemption.candidates ?? [];
  const shown = candidates.slice(0, SHOWN);
  const rest = (preemption.num_candidates ?? candidates.length) - shown.length;
  return html`<section class="preemption" aria-label="Preemption">
    <header class="sub"><h3>${term("preemption", "Preemption")}</h3></header>
    <p>${glyph(detail.victims.length ? "victim" : "refused")} <span>${preemption.text}</span></p>
    ${shown.length ? table(detail, shown, preemption.criterion ?? "", host) : nothing}
    ${rest > 0 ? html`<p class="quiet-line">${counted(rest, "candidate")} more, all dearer.</p>` : nothing}
    ${(preemption.not_helpful ?? []).map(
      (group) => html`<p class="quiet-line">${glyph("final")} <span>${counted(group.num_nodes, "node")}: ${group.text}</span></p>`,
    )}
  </section>`;
}

function table(detail: CycleDetail, candidates: readonly CandidateItem[], criterion: string, host: PreemptionHost): TemplateResult {
  const decided = CRITERIA.findIndex((one) => one.name === criterion);
  return html`<div class="table-scroll">
    <table class="small-table candidates">
      <thead>
        <tr>
          <th scope="col">Node</th>
          ${CRITERIA.map((one, i) => html`<th scope="col" class="num ${i === decided ? "decides" : ""}" title=${i === decided ? "This criterion decided" : `Criterion ${i + 1} of 5, asked in this order`}>${one.title}${i === decided ? html` <span class="tag">decided</span>` : nothing}</th>`)}
          <th scope="col">Who would go</th>
        </tr>
      </thead>
      <tbody>
        ${candidates.map((one) => {
          const chosen = one.node === detail.nominated_node;
          return html`<tr class=${chosen ? "row-chosen" : ""}>
            <th scope="row"><button type="button" class="link mono" @click=${() => host.selectNode(one.node)}>${glyph(chosen ? "chosen" : "fits", chosen ? "chosen" : "candidate")}${one.node}</button></th>
            ${CRITERIA.map((criterionOf, i) => html`<td class="num ${i === decided ? "decides" : ""}">${criterionOf.value(one)}</td>`)}
            <td>${victims(one, host)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

function victims(one: CandidateItem, host: PreemptionHost): TemplateResult {
  const rest = one.victims.length - VICTIMS_NAMED;
  return html`${one.victims.slice(0, VICTIMS_NAMED).map((pod) => html`<button type="button" class="link mono" @click=${() => host.selectPod(pod)}>${podName(pod)}</button> `)}${rest > 0
      ? html`<span class="quiet">and ${rest} more</span>`
      : nothing}${one.budgets?.length ? html` <span class="bad">breaks ${one.budgets.join(", ")}</span>` : nothing}`;
}

function started(us: number | null | undefined): string {
  return typeof us === "number" ? new Date(us / 1000).toISOString().slice(0, 19).replace("T", " ") : "not yet";
}
