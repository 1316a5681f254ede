/** The cycle at the playhead: what each extension point did, node × plugin, scores, the exact message. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { DetailState } from "../api/cycle_details";
import type { CycleDetail } from "../api/types";
import { count, counted, podName, time } from "../base/format";
import type { CycleRow } from "../trace/cycle_index";
import { pointOf, stepsOf } from "../trace/extension_points";
import { verdictTable } from "../trace/verdicts";
import type { Mode } from "../trace/verdicts";
import { explanationView, messageView } from "./explain_view";
import { RunView, emptyState, glyph, nameText, skeleton } from "./light";
import { scoreTable, segmented } from "./score_view";
import type { ScoreKind } from "./score_view";
import { glyphOfCycle, noCycle, wordOfCycle } from "./sp-cycles";
import { verdictView } from "./verdict_view";
import type { VerdictViewHost, VerdictViewState } from "./verdict_view";

class SpCycle extends RunView implements VerdictViewHost {
  view: VerdictViewState = { mode: "first", opened: new Set(), inspected: "" };
  private scores: ScoreKind = "weighted";
  private shown = 0;

  redraw(): void {
    this.requestUpdate();
  }

  selectNode(name: string): void {
    this.run.selectNode(name);
  }

  get selectedNode(): string | null {
    return this.run.node;
  }

  protected override render(): unknown {
    const { run } = this;
    const { store } = run;
    const row = store.cycles.row(store.cycle);
    if (!row) return this.none();
    if (row.cycle !== this.shown) {
      this.shown = row.cycle;
      this.view = { ...this.view, opened: new Set(), inspected: "" };
    }
    const known = run.detailOf(row.cycle);
    const detail = known?.state === "ready" ? known.detail : null;
    return html`<article class="cycle" aria-label="Cycle ${row.cycle}">
      ${this.head(row, detail)}
      ${detail ? this.body(detail) : this.waiting(row, known)}
    </article>`;
  }

  private none(): unknown {
    const { store } = this.run;
    if (store.cycles.size > 0) return emptyState("Before the first cycle", "Step on with → or press play.");
    if (this.run.ended) return noCycle(this.run);
    return skeleton(4, "Waiting for the first cycle");
  }

  /** What the events say of it, until the detail is here. */
  private waiting(row: CycleRow, known: DetailState | undefined): unknown {
    if (known?.state === "failed") {
      return emptyState(known.message, html`<button type="button" class="button small" @click=${() => this.run.details?.retry(this.shown)}>Try again</button>`);
    }
    const refusals = Object.entries(row.rejected ?? {}).sort((a, b) => b[1] - a[1]);
    return html`${refusals.length
        ? html`<ul class="explanation">
            ${refusals.map(([plugin, nodes]) => html`<li>${glyph("refused")}<span><span class="mono">${plugin}</span> refused ${counted(nodes, "node")}</span></li>`)}
          </ul>`
        : nothing}
      ${this.run.rushing
        ? html`<p class="quiet-line">Cycles come faster than they can be read. Open one in the log to see its verdicts.</p>`
        : html`${known?.state === "loading" && known.replaying ? html`<p class="quiet-line">Computed again by replaying the run to this cycle.</p>` : nothing}
          ${skeleton(4, "Reading the cycle")}`}`;
  }

  private head(row: CycleRow, detail: CycleDetail | null): TemplateResult {
    const { store } = this.run;
    const pod = store.words.pods.name(row.pod);
    const node = row.node >= 0 ? store.words.nodes.name(row.node) : "";
    return html`<header class="cycle-head">
      <span class="label">Cycle <strong class="num">${count(row.cycle)}</strong></span>
      ${glyph(node ? "chosen" : glyphOfCycle(row), wordOfCycle(row))}
      <h3>
        <button type="button" class="link" @click=${() => this.run.selectPod(pod)}>${nameText(pod, podName(pod))}</button>
        ${node
          ? html`<span class="arrow">→</span> <button type="button" class="link" @click=${() => this.run.selectNode(node)}>${nameText(node)}</button>`
          : html`<span class="outcome">${wordOfCycle(row)}</span>`}
      </h3>
      <span class="meta">
        <span>attempt ${row.attempt}</span>
        ${row.numNodes ? html`<span>${fitWords(row)}${detail && detail.ties.length > 1 ? `, ${detail.ties.length} tied` : ""}</span>` : nothing}
        <span title="virtual time since the run's start">t ${time(row.tUs)}</span>
      </span>
    </header>`;
  }

  private body(detail: CycleDetail): TemplateResult {
    return html`${this.points(detail)} ${explanationView(detail, (node) => this.run.selectNode(node))} ${this.victims(detail)}
      ${detail.nodes.length === 0 ? nothing : this.verdicts(detail)}
      ${scoreTable(detail, this.scores, (kind) => {
        this.scores = kind;
        this.requestUpdate();
      })}
      ${messageView(detail.message)}`;
  }

  private verdicts(detail: CycleDetail): TemplateResult {
    const table = verdictTable(detail, this.view.mode);
    return html`<section class="filters" aria-label="Verdicts">
        <header class="sub">
          <h3>Verdicts</h3>
          ${segmented<Mode>(["first", "all"], this.view.mode, (mode) => this.setMode(mode), { first: "first refusal", all: "every plugin" })}
          <span class="inspected" aria-live="polite">${this.view.inspected}</span>
        </header>
        ${verdictView(detail, table, this)}
      </section>`;
  }

  private setMode(mode: Mode): void {
    this.view = { ...this.view, mode };
    this.requestUpdate();
  }

  private victims(detail: CycleDetail): unknown {
    if (!detail.victims.length && !detail.nominated_node) return nothing;
    return html`<p class="victims">
      ${glyph("victim")}
      <span>
        ${detail.victims.length
          ? html`Evicts ${detail.victims.map((pod) => html`<button type="button" class="link mono" @click=${() => this.run.selectPod(pod)}>${podName(pod)}</button> `)}`
          : nothing}
        ${detail.nominated_node ? html`and is nominated to <span class="mono">${detail.nominated_node}</span>` : nothing}
      </span>
    </p>`;
  }

  private points(detail: CycleDetail): TemplateResult {
    const { store } = this.run;
    const row = store.cycles.row(detail.cycle);
    const inside = row !== undefined && store.state.seq < row.lastSeq;
    const at = inside ? pointOf(store.event(store.state.seq)) : "";
    return html`<ol class="points" aria-label="Extension points">
      ${stepsOf(detail).map(
        (step) => html`<li class="point ${step.state}" title=${step.more || nothing} aria-current=${step.name === at ? "step" : nothing}>
          <span class="point-name">${step.name}</span> ${step.did ? html`<span class="did">${step.did}</span>` : nothing}
        </li>`,
      )}
    </ol>`;
  }
}

/** "5 fit of 12 nodes"; where not all were looked at, of how many: the others are not refused. */
function fitWords(row: CycleRow): unknown {
  const all = counted(row.numNodes, "node");
  if (row.numEvaluated >= row.numNodes) return `${all}, ${count(row.numFeasible)} fit`;
  return html`<span title="kube-scheduler stops once it has found enough nodes that fit">${count(row.numFeasible)} fit of ${count(row.numEvaluated)} looked at, ${all}</span>`;
}

customElements.define("sp-cycle", SpCycle);
