/** Scores of a cycle: stacked bars, and the table raw → normalised → weighted → total. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CycleDetail } from "../api/types";
import { count } from "../base/format";
import { glyph, nameText } from "./light";
import { scoreNumbersView } from "./numbers_view";
import { sensitivitySlot } from "./sensitivity_slot";
import { styled } from "./styled";

export type ScoreKind = "weighted" | "normalized" | "raw";

export interface ScoreViewState {
  kind: ScoreKind;
  /** The row of `scored` whose formula is shown; -1 for none. */
  opened: number;
}

const HUES = 7;
const SHOWN = 12;

/** The plugins that scored, in their order. */
export function scorers(detail: CycleDetail): string[] {
  return Object.keys(detail.weighted).filter((plugin) => detail.weighted[plugin]!.length > 0);
}

/** A node's total as a bar, a segment a plugin. */
export function scoreBar(detail: CycleDetail, at: number, most: number): TemplateResult {
  const parts = scorers(detail).map((plugin, i) => ({ plugin, hue: (i % HUES) + 1, value: detail.weighted[plugin]![at] ?? 0 }));
  const label = parts.map((part) => `${part.plugin} ${part.value}`).join(" + ");
  return html`<span class="score-bar" role="img" title=${label} aria-label=${label}>
    ${parts
      .filter((part) => part.value > 0)
      .map((part) => html`<i class="p${part.hue}" ${styled({ width: `${((part.value / most) * 100).toFixed(2)}%` })}></i>`)}
  </span>`;
}

/** Rows of `scored`, the best first, at most so many; the chosen node always among them. */
function best(detail: CycleDetail): number[] {
  const chosen = detail.scored.findIndex((row) => detail.nodes[row] === detail.node);
  const first = (at: number) => (at === chosen ? 0 : 1);
  const order = detail.scored.map((_, at) => at).sort((a, b) => detail.total[b]! - detail.total[a]! || first(a) - first(b) || a - b);
  const shown = order.slice(0, SHOWN);
  if (chosen >= 0 && !shown.includes(chosen)) shown.push(chosen);
  return shown;
}

const sameEverywhere = (values: readonly number[]): boolean => values.every((value) => value === values[0]);

export function scoreTable(detail: CycleDetail, state: ScoreViewState, set: (state: ScoreViewState) => void): unknown {
  if (detail.scored.length < 2) {
    if (detail.under_way) return nothing;
    return detail.num_feasible === 1 ? html`<p class="quiet-line">One node fits, so nothing was scored.</p>` : nothing;
  }
  const plugins = scorers(detail);
  const most = Math.max(1, ...detail.total);
  const rows = best(detail);
  const { kind } = state;
  const toggle = (at: number) => set({ ...state, opened: state.opened === at ? -1 : at });
  return html`<section class="scores" aria-label="Scores">
    <header class="sub">
      <h3>Scores</h3>
      ${segmented<ScoreKind>(["weighted", "normalized", "raw"], kind, (chosen) => set({ ...state, kind: chosen }), { normalized: "normalised" })}
    </header>
    <div class="table-scroll">
      <table class="score-table">
        <thead>
          <tr>
            <th scope="col" class="who">Node</th>
            <th scope="col" class="total">Total</th>
            <th scope="col" class="bar-column"><span class="visually-hidden">Bar</span></th>
            ${plugins.map((plugin, i) => pluginHead(detail, plugin, i, kind))}
          </tr>
        </thead>
        <tbody>
          ${rows.map((at) => html`${scoreRow(detail, plugins, at, state, most, toggle)} ${at === state.opened ? formulaRow(detail, plugins, at) : nothing}`)}
        </tbody>
      </table>
    </div>
    ${detail.tie_break ? html`<p class="quiet-line">${glyph("chosen")} <span>${detail.tie_break}</span></p>` : nothing}
    ${detail.under_way ? nothing : sensitivitySlot(detail)}
    ${detail.scored.length > rows.length
      ? html`<p class="quiet-line">${count(detail.scored.length - rows.length)} more nodes scored ${count(Math.min(...detail.total))} to ${count(detail.total[rows[rows.length - 1]!]!)}.</p>`
      : nothing}
    ${scoreNumbersView(detail)}
  </section>`;
}

function pluginHead(detail: CycleDetail, plugin: string, i: number, kind: ScoreKind): TemplateResult {
  const weight = detail.weights[plugin] ?? 1;
  const flat = sameEverywhere(detail[kind][plugin] ?? []);
  return html`<th scope="col" class=${flat ? "flat" : ""} title=${flat ? `${plugin}: the same for every node, so it decides nothing` : plugin}>
    <i class="key p${(i % HUES) + 1}"></i>${plugin}${kind === "weighted" && weight !== 1 ? html` <span class="quiet">×${weight}</span>` : nothing}
  </th>`;
}

function scoreRow(detail: CycleDetail, plugins: readonly string[], at: number, { kind, opened }: ScoreViewState, most: number, toggle: (at: number) => void): TemplateResult {
  const row = detail.scored[at]!;
  const name = detail.nodes[row]!;
  const chosen = name === detail.node;
  const tied = detail.ties.length > 1 && detail.ties.includes(row);
  return html`<tr class=${chosen ? "row-chosen" : ""}>
    <th scope="row" class="who"><button type="button" class="link" aria-expanded=${opened === at} title="Show the formula" @click=${() => toggle(at)}>${glyph(chosen ? "chosen" : "fits", chosen ? "chosen" : "fits")}${nameText(name)}<span class="chevron" aria-hidden="true"></span></button></th>
    <td class="total num"><strong>${count(detail.total[at]!)}</strong>${tied ? html`<span class="tie" title="tied for the best">=</span>` : nothing}</td>
    <td class="bar-column">${scoreBar(detail, at, most)}</td>
    ${plugins.map((plugin) => {
      const value = detail[kind][plugin]?.[at];
      const steps = `raw ${detail.raw[plugin]?.[at] ?? "–"} → normalised ${detail.normalized[plugin]?.[at] ?? "–"} × ${detail.weights[plugin] ?? 1} = ${detail.weighted[plugin]?.[at] ?? "–"}`;
      return html`<td class="num ${sameEverywhere(detail[kind][plugin] ?? []) ? "flat" : ""}" title=${steps}>${value === undefined ? "–" : count(value)}</td>`;
    })}
  </tr>`;
}

/** raw → normalised × weight, plugin by plugin, and the sum. */
function formulaRow(detail: CycleDetail, plugins: readonly string[], at: number): TemplateResult {
  const of = (kind: ScoreKind, plugin: string) => detail[kind][plugin]?.[at];
  return html`<tr class="formula">
    <td colspan=${plugins.length + 3}>
      <table class="small-table">
        <thead><tr><th scope="col">Plugin</th><th scope="col" class="num">raw</th><th scope="col" class="num">normalised</th><th scope="col" class="num">× weight</th><th scope="col" class="num">= weighted</th></tr></thead>
        <tbody>
          ${plugins.map(
            (plugin, i) => html`<tr>
              <th scope="row"><i class="key p${(i % HUES) + 1}"></i><span class="mono">${plugin}</span></th>
              <td class="num">${number(of("raw", plugin))}</td>
              <td class="num">${number(of("normalized", plugin))}</td>
              <td class="num">${detail.weights[plugin] ?? "–"}</td>
              <td class="num"><strong>${number(of("weighted", plugin))}</strong></td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="formula-sum mono">${plugins.map((plugin) => `${plugin} ${number(of("weighted", plugin))}`).join(" + ")} = <strong>${count(detail.total[at]!)}</strong></p>
    </td>
  </tr>`;
}

const number = (value: number | undefined): string => (value === undefined ? "–" : count(value));

/** A small choice of a few words, one pressed. */
export function segmented<T extends string>(options: readonly T[], chosen: T, set: (option: T) => void, words: Partial<Record<T, string>> = {}): TemplateResult {
  return html`<span class="segmented" role="group">
    ${options.map(
      (option) => html`<button type="button" aria-pressed=${option === chosen} @click=${() => set(option)}>${words[option] ?? option}</button>`,
    )}
  </span>`;
}
