/** What plugins counted for the pod over the whole cluster: skew tables, matching terms, conditions on nodes. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CycleDetail, NumbersRecord } from "../api/detail";
import { count, counted } from "../base/format";
import { glyph } from "./light";
import { styled } from "./styled";
import { term } from "./term";

interface Condition {
  key: string;
  operator: string;
  values: string[];
}
interface SkewTable {
  topology_key: string;
  max_skew: number;
  min_domains: number;
  num_domains: number;
  minimum: number;
  self_match: number;
  selector: Condition[];
  domains: { domain: string; pods: number; skew: number }[];
}
interface SpreadScores {
  topology_key: string;
  max_skew: number;
  /** What a pod counts: the logarithm of the number of domains and two. */
  weight: number;
  selector: Condition[];
  num_domains: number;
  num_lacking: number;
  domains: { domain: string; pods: number; score: number; num_nodes: number }[];
}
interface MatchingTerm {
  kind: "affinity" | "anti_affinity" | "existing_anti_affinity";
  topology_key: string;
  selector?: Condition[];
  domains: { domain: string; pods: number }[];
  num_domains: number;
  note?: string;
}
type Demand = Condition & { kind: string; term?: number; num_terms?: number; num_nodes: number };

export function numbersView(detail: CycleDetail): unknown {
  const known = Object.entries(detail.pod_numbers).filter(([plugin]) => plugin in VIEWS);
  if (known.length === 0) return nothing;
  return html`<section class="numbers" aria-label="What plugins counted">
    ${known.map(([plugin, records]) => VIEWS[plugin]!(records, detail))}
  </section>`;
}

/** What plugins counted to score. */
export function scoreNumbersView(detail: CycleDetail): unknown {
  const tables = (detail.score_numbers?.["PodTopologySpread"] ?? []) as unknown as SpreadScores[];
  const notes = [...new Set((detail.score_numbers?.["InterPodAffinity"] ?? []).map((record) => String(record["note"])))];
  if (!tables.length && !notes.length) return nothing;
  return html`<div class="numbers">${tables.map(spreadScores)}${notes.map((note) => html`<p class="counted">${note}.</p>`)}</div>`;
}

const VIEWS: Record<string, (records: NumbersRecord[], detail: CycleDetail) => unknown> = {
  PodTopologySpread: (records) => (records as unknown as SkewTable[]).map(skewTable),
  InterPodAffinity: (records) => termTable(records as unknown as MatchingTerm[]),
  NodeAffinity: (records, detail) => demandTable(records as unknown as Demand[], detail.num_nodes),
};

const condition = (one: Condition): string => {
  if (one.operator === "Exists") return `${one.key} exists`;
  if (one.operator === "DoesNotExist") return `no ${one.key}`;
  if (one.operator === "In" && one.values.length === 1) return `${one.key}=${one.values[0]}`;
  const word = { In: "in", NotIn: "not in", Gt: ">", Lt: "<" }[one.operator] ?? one.operator;
  return `${one.key} ${word} (${one.values.join(", ")})`;
};
const selector = (all: readonly Condition[] | undefined): string => (all?.length ? all.map(condition).join(", ") : "any labels");

function skewTable(table: SkewTable): TemplateResult {
  const most = Math.max(1, ...table.domains.map((one) => one.pods + table.self_match));
  const rest = table.num_domains - table.domains.length;
  return html`<div class="counted">
    <h4>${term("PodTopologySpread")} over <span class="mono">${table.topology_key}</span></h4>
    <p class="quiet">
      Pods with <span class="mono">${selector(table.selector)}</span>; ${term("skew", "maxSkew")} ${table.max_skew}, the emptiest domain has ${table.minimum}${table.min_domains > table.num_domains
        ? html`: fewer domains than minDomains ${table.min_domains}, so it counts as 0`
        : nothing}${table.self_match ? nothing : "; the pod itself does not match"}
    </p>
    <table class="small-table">
      <thead><tr><th scope="col">Domain</th><th scope="col" class="num">Pods</th><th scope="col" class="num">Skew with it</th><th scope="col" class="bar-column"><span class="visually-hidden">Bar</span></th></tr></thead>
      <tbody>
        ${table.domains.map((one) => {
          const fits = one.skew <= table.max_skew;
          return html`<tr>
            <th scope="row">${glyph(fits ? "fits" : "refused", fits ? "may take it" : "too skewed")}<span class="mono">${one.domain}</span></th>
            <td class="num">${count(one.pods)}</td>
            <td class="num ${fits ? "" : "bad"}">${one.skew}</td>
            <td class="bar-column"><span class="meter"><i ${styled({ width: `${((one.pods / most) * 100).toFixed(1)}%` })}></i></span></td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${rest > 0 ? html`<p class="quiet-line">${counted(rest, "domain")} more, with more pods.</p>` : nothing}
  </div>`;
}

function spreadScores(table: SpreadScores): TemplateResult {
  const most = Math.max(1, ...table.domains.map((one) => one.pods));
  const rest = table.num_domains - table.domains.length;
  const skew = table.max_skew - 1;
  const grouped = table.domains.some((one) => one.num_nodes > 1);
  return html`<div class="counted">
    <h4>${term("PodTopologySpread")} over <span class="mono">${table.topology_key}</span>, ScheduleAnyway</h4>
    <p class="quiet">
      Pods with <span class="mono">${selector(table.selector)}</span>, each counted ${table.weight.toFixed(2)}${skew ? ` and ${skew} for the ${table.max_skew} that the skew may be` : ""}; the sum over all such constraints
      is the node's raw score, and the least is best
    </p>
    <table class="small-table">
      <thead><tr><th scope="col">Domain</th><th scope="col" class="num">Pods</th><th scope="col" class="num">Score</th>${grouped ? html`<th scope="col" class="num">Nodes scored</th>` : nothing}<th scope="col" class="bar-column"><span class="visually-hidden">Bar</span></th></tr></thead>
      <tbody>
        ${table.domains.map(
          (one) => html`<tr>
            <th scope="row"><span class="mono">${one.domain}</span></th>
            <td class="num">${count(one.pods)}</td>
            <td class="num"><strong>${one.score.toFixed(2)}</strong></td>
            ${grouped ? html`<td class="num">${count(one.num_nodes)}</td>` : nothing}
            <td class="bar-column"><span class="meter"><i ${styled({ width: `${((one.pods / most) * 100).toFixed(1)}%` })}></i></span></td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${rest > 0 ? html`<p class="quiet-line">${counted(rest, "domain")} more, with as many pods or more.</p>` : nothing}
    ${table.num_lacking ? html`<p class="quiet-line">${counted(table.num_lacking, "node")} without the label.</p>` : nothing}
  </div>`;
}

const TERM_WORDS = {
  affinity: "wants to be with pods with",
  anti_affinity: "keeps away from pods with",
  existing_anti_affinity: "pods that keep it away",
};

function termTable(terms: MatchingTerm[]): TemplateResult {
  return html`<div class="counted">
    <h4>${term("InterPodAffinity")}</h4>
    <table class="small-table">
      <thead><tr><th scope="col">Term</th><th scope="col">Over</th><th scope="col">Matching pods by domain</th></tr></thead>
      <tbody>
        ${terms.map(
          (one) => html`<tr>
            <th scope="row">${TERM_WORDS[one.kind]} ${one.selector ? html`<span class="mono">${selector(one.selector)}</span>` : nothing}</th>
            <td class="mono">${one.topology_key}</td>
            <td>${one.domains.length ? domainList(one) : html`<span class="quiet">none</span>`}${one.note ? html`<p class="quiet-line">${one.note}.</p>` : nothing}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function domainList(one: MatchingTerm): TemplateResult {
  const rest = one.num_domains - one.domains.length;
  return html`${one.domains.map((at, i) => html`${i ? ", " : ""}<span class="mono">${at.domain}</span> ${count(at.pods)}`)}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function demandTable(demands: Demand[], numNodes: number): TemplateResult {
  return html`<div class="counted">
    <h4>${term("NodeAffinity")}</h4>
    <table class="small-table">
      <thead><tr><th scope="col">Asks for</th><th scope="col">By</th><th scope="col" class="num">Nodes that meet it</th></tr></thead>
      <tbody>
        ${demands.map(
          (one) => html`<tr>
            <th scope="row" class="mono">${condition(one)}</th>
            <td>${one.kind}${(one.num_terms ?? 1) > 1 ? html` <span class="quiet">term ${(one.term ?? 0) + 1} of ${one.num_terms}, one has to hold</span>` : nothing}</td>
            <td class="num ${one.num_nodes ? "" : "bad"}">${count(one.num_nodes)} of ${count(numNodes)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
