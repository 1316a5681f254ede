/** A cycle's decision under other weights: a slider a plugin with the flip points on its track, and who wins then. */

import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { send } from "../api/client";
import type { CycleDetail } from "../api/types";
import { count } from "../base/format";
import { scaleEnd } from "../trace/config_form";
import { nearestWhole, ranked, totalsOf, weighable, winnersOf, winsOver } from "../trace/weights";
import type { Weights, Win } from "../trace/weights";
import { LightElement, fire, glyph, nameText } from "./light";
import type { SpRun } from "./sp-run";
import { styled } from "./styled";

const HIGHEST = 100;
const SHOWN = 8;
const CHIPS = 6;
const NAMED = 2;
const HUES = 7;
const PAUSE_MS = 250;

export class SpSensitivity extends LightElement {
  static override properties = { detail: { attribute: false }, start: { attribute: false }, run: {}, here: { type: Boolean } };
  declare detail: CycleDetail | null;
  /** The weights to begin with; else those of the run. */
  declare start: Weights | null;
  declare run: string;
  /** Whether the page it is on is a profile's, which takes the weights. */
  declare here: boolean;
  private moved: Record<string, number> = {};
  private sentences: ReadonlyMap<string, string> = new Map();
  private asked = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has("detail") || changes.has("start")) {
      this.moved = {};
      this.sentences = new Map();
      this.ask();
    }
  }

  private get runId(): string {
    return this.run || this.closest<SpRun>("sp-run")?.runId || "";
  }

  private get weights(): Weights {
    return { ...this.detail!.weights, ...this.start, ...this.moved };
  }

  /** Lets the core say it in words, once the weights rest. */
  private ask(): void {
    clearTimeout(this.timer);
    this.asked.abort();
    if (!this.detail || !this.runId) return;
    const { signal } = (this.asked = new AbortController());
    const { cycle, weights } = this.detail;
    const other = Object.entries(this.weights).filter(([plugin, weight]) => plugin in weights && weights[plugin] !== weight);
    const query = other.length ? `?weights=${other.map(([plugin, weight]) => `${plugin}:${weight}`).join(",")}` : "";
    this.timer = setTimeout(async () => {
      try {
        const response = await send(`runs/${this.runId}/cycles/${cycle}/sensitivity${query}`, { signal });
        if (response.status !== 200) return;
        const found = (await response.json()) as { plugins: { plugin: string; text: string }[] };
        this.sentences = new Map(found.plugins.map(({ plugin, text }) => [plugin, text]));
        this.requestUpdate();
      } catch {
        // Only the words are missing then: sliders and ranking are computed here.
      }
    }, PAUSE_MS);
  }

  private set(plugin: string, weight: number): void {
    if (!Number.isInteger(weight) || weight < 0 || weight > 1_000_000) return;
    const before = this.start?.[plugin] ?? this.detail!.weights[plugin];
    this.moved = { ...this.moved, [plugin]: weight };
    if (weight === before) delete this.moved[plugin];
    this.requestUpdate();
    this.ask();
  }

  protected override render(): unknown {
    const { detail } = this;
    if (!detail) return nothing;
    if (detail.scored.length < 2) return html`<p class="quiet-line">${detail.num_feasible === 1 ? "One node fits, so no weight decides." : "Nothing was scored in this cycle."}</p>`;
    const plugins = weighable(detail);
    const deciding = plugins.filter((plugin) => new Set(detail.normalized[plugin]).size > 1);
    const flat = plugins.filter((plugin) => !deciding.includes(plugin));
    return html`<section class="sensitivity" aria-label="Weights">
      ${this.verdict(detail)}
      <div class="sensitivity-grid">
        <div class="sensitivity-sliders">
          ${repeat(deciding, (plugin) => plugin, (plugin) => this.slider(detail, plugin, plugins.indexOf(plugin)))}
          ${flat.length ? html`<p class="quiet">${flat.join(", ")} ${flat.length === 1 ? "gives" : "give"} every node the same: no weight of ${flat.length === 1 ? "it" : "them"} matters here.</p>` : nothing}
        </div>
        ${this.ranking(detail, plugins)}
      </div>
    </section>`;
  }

  private verdict(detail: CycleDetail): TemplateResult {
    const winners = winnersOf(totalsOf(detail, this.weights));
    const now = namesOf(detail, winners);
    const many = winners.length > 1;
    const same = winners.some((at) => nameAt(detail, at) === detail.node);
    const words = same ? html`<strong>${many ? `${now} tie` : `${now} wins`}</strong>, as in the run` : html`<strong>${many ? `${now} would tie` : `${now} would win`}</strong> instead of ${detail.node}`;
    const chosen = Object.entries(this.moved).map(([plugin, weight]) => `${plugin}:${weight}`);
    return html`<div class="sensitivity-verdict">
      <p role="status" class=${same ? "" : "flipped"}>${glyph(same ? "chosen" : "changed")} <span>${words}</span></p>
      ${chosen.length
        ? html`<span class="sensitivity-next">
            <button type="button" class="button small" @click=${() => this.back()}>Back</button>
            ${this.here
              ? html`<button type="button" class="button small primary" @click=${() => fire(this, "weights-chosen", this.moved)}>Put into this profile</button>`
              : html`<a class="button small primary" href="/profiles/new/?run=${this.runId}&weights=${chosen.join(",")}">Put into a profile</a>`}
          </span>`
        : nothing}
    </div>`;
  }

  private back(): void {
    this.moved = {};
    this.requestUpdate();
    this.ask();
  }

  private slider(detail: CycleDetail, plugin: string, hue: number): TemplateResult {
    const weight = this.weights[plugin] ?? 0;
    const before = this.start?.[plugin] ?? detail.weights[plugin] ?? 0;
    const wins = winsOver(detail, plugin, this.weights, Math.max(HIGHEST, scaleEnd(weight, before * 2)));
    const end = scaleEnd(weight, before * 2, ...wins.slice(1).map((win) => win.from));
    wins.at(-1)!.to = end;
    const put = (event: Event) => this.set(plugin, Number((event.target as HTMLInputElement).value || NaN));
    const current = winsAt(wins, weight).flatMap((win) => win.rows);
    const words = `${weight}: ${namesOf(detail, current)} ${current.length > 1 ? "tie" : "wins"}`;
    return html`<div class="weigh ${plugin in this.moved ? "moved" : ""}">
      <label class="weigh-name"><i class="key p${(hue % HUES) + 1}"></i>${plugin}
        <input type="number" class="num" min="0" step="1" .value=${String(weight)} aria-label="Weight of ${plugin}, as a number" @input=${put} /></label>
      <div class="weigh-track">
        <input type="range" min="0" max=${end} step="1" .value=${String(weight)} aria-label="Weight of ${plugin}" aria-valuetext=${words} @input=${put} @keydown=${keepKeys} />
        ${wins.length > 1 ? strip(detail, wins, weight, end) : nothing}
      </div>
      ${wins.length > 1 ? this.flips(detail, plugin, wins, weight, end) : nothing}
      ${this.sentences.get(plugin) ? html`<p class="quiet weigh-words">${this.sentences.get(plugin)}</p>` : nothing}
    </div>`;
  }

  /** Each other winner as a button that sets the nearest weight at which it wins. */
  private flips(detail: CycleDetail, plugin: string, wins: readonly Win[], weight: number, end: number): TemplateResult {
    const current = winsAt(wins, weight);
    const others = wins.filter((win) => !current.includes(win));
    return html`<p class="flips">
      ${others.slice(0, CHIPS).map((win) => {
        const reached = nearestWhole(win, weight, end);
        const where = reached === null ? `between ${places(win.from)} and ${places(win.to)}` : win.from === 0 ? `below ${places(win.to)}` : `from ${places(win.from)}`;
        const words = html`${namesOf(detail, win.rows)} <span class="quiet num">${where}</span>`;
        if (reached === null) return html`<span class="flip" title="No whole weight lies there">${words}</span>`;
        return html`<button type="button" class="flip" title="Set ${plugin} to ${reached}" @click=${() => this.set(plugin, reached)}>${words}</button>`;
      })}
      ${others.length > CHIPS ? html`<span class="quiet">and ${others.length - CHIPS} more</span>` : nothing}
    </p>`;
  }

  private ranking(detail: CycleDetail, plugins: readonly string[]): TemplateResult {
    const { weights } = this;
    const totals = totalsOf(detail, weights);
    const order = ranked(totals);
    const winners = new Set(winnersOf(totals));
    const was = detail.scored.findIndex((row) => detail.nodes[row] === detail.node);
    const shown = order.slice(0, SHOWN);
    if (was >= 0 && !shown.includes(was)) shown.push(was);
    const most = Math.max(1, ...totals);
    return html`<table class="ranking">
      <caption class="visually-hidden">Nodes by their total under these weights</caption>
      <thead class="visually-hidden"><tr><th scope="col">Node</th><th scope="col">Scores</th><th scope="col">Total</th></tr></thead>
      <tbody>
        ${shown.map((at) => html`<tr class=${winners.has(at) ? "row-chosen" : ""}>
          <th scope="row">${winners.has(at) ? glyph("chosen", "wins") : glyph("fits", "fits")}${nameText(nameAt(detail, at))}${at === was ? html` <span class="quiet">in the run</span>` : nothing}</th>
          <td class="bar-cell">${bar(detail, plugins, weights, at, most)}</td>
          <td class="num"><strong>${count(totals[at]!)}</strong></td>
        </tr>`)}
      </tbody>
      ${order.length > shown.length ? html`<tfoot><tr><td colspan="3" class="quiet">and ${count(order.length - shown.length)} more nodes</td></tr></tfoot>` : nothing}
    </table>`;
  }
}

/** A slider's keys move the slider, whatever else the page does with them. */
function keepKeys(event: KeyboardEvent): void {
  if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation();
}

function bar(detail: CycleDetail, plugins: readonly string[], weights: Weights, at: number, most: number): TemplateResult {
  const parts = plugins.map((plugin) => (weights[plugin] ?? 0) * detail.normalized[plugin]![at]!);
  const label = plugins.map((plugin, i) => `${plugin} ${parts[i]}`).join(" + ");
  return html`<span class="score-bar" role="img" title=${label} aria-label=${label}
    >${plugins.map((_, i) => html`<i class="p${(i % HUES) + 1}" ${styled({ width: percent(Math.max(0, parts[i]!) / most) })}></i>`)}</span
  >`;
}

/** Who wins where, along the slider. */
function strip(detail: CycleDetail, wins: readonly Win[], weight: number, end: number): TemplateResult {
  const current = winsAt(wins, weight);
  return html`<div class="wins" aria-hidden="true">
    ${wins.map((win) => {
      const names = namesOf(detail, win.rows);
      const place = styled({ left: percent(win.from / end), width: percent((win.to - win.from) / end) });
      return html`<span class="win ${current.includes(win) ? "current" : ""}" title="${names} from ${places(win.from)}" ${place}><span>${names}</span></span>`;
    })}
  </div>`;
}

function nameAt(detail: CycleDetail, at: number): string {
  return detail.nodes[detail.scored[at]!]!;
}

function winsAt(wins: readonly Win[], weight: number): Win[] {
  return wins.filter((win) => win.from <= weight && weight <= win.to);
}

function namesOf(detail: CycleDetail, rows: readonly number[]): string {
  return rows.length <= NAMED ? rows.map((at) => nameAt(detail, at)).join(" and ") : `${rows.length} nodes`;
}

function places(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

customElements.define("sp-sensitivity", SpSensitivity);
