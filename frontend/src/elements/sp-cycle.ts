/** The cycle at the playhead: what each extension point did, node × plugin, scores, the exact message. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { DetailState } from "../api/cycle_details";
import type { CycleDetail } from "../api/types";
import { count, counted, podName, time } from "../base/format";
import type { CycleRow } from "../trace/cycle_index";
import type { MessagePart } from "../api/detail";
import { pointsOf } from "../trace/binding";
import { rowSoFar, stopsAfter } from "../trace/cycle_so_far";
import { pointOf } from "../trace/extension_points";
import { remediesView } from "./answer_view";
import { explanationView } from "./explain_view";
import { RunView, emptyState, glyph, nameText, skeleton } from "./light";
import { messageView } from "./message_view";
import { numbersView } from "./numbers_view";
import { pointsView } from "./points_view";
import { preemptionView } from "./preemption_view";
import { scoreTable } from "./score_view";
import type { ScoreViewState } from "./score_view";
import { glyphOfCycle, noCycle, wordOfCycle } from "./sp-cycles";
import { freshView, reasonOf, showReason, verdictSection } from "./verdict_view";
import type { VerdictViewHost, VerdictViewState } from "./verdict_view";

class SpCycle extends RunView implements VerdictViewHost {
  view: VerdictViewState = freshView();
  private scores: ScoreViewState = { kind: "weighted", opened: -1 };
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
    const row = rowSoFar(store, run.subject);
    if (!row) return this.none();
    if (row.cycle !== this.shown) {
      this.shown = row.cycle;
      this.view = freshView();
      this.scores = { ...this.scores, opened: -1 };
    }
    const known = run.detailOf(row.cycle);
    // While the playhead is drawn along nobody reads a detail, and the panel stays one size.
    const whole = known?.state === "ready" && !run.moving ? known.detail : null;
    const detail = whole && run.soFar(whole);
    return html`<article class="cycle" aria-label="Cycle ${row.cycle}">
      ${this.head(row, detail)} ${this.elsewhere(row)}
      ${whole && detail ? this.body(whole, detail) : this.waiting(row, known)}
    </article>`;
  }

  /** With a pod selected it is that pod's cycle, which may not be the one at the playhead. */
  private elsewhere(row: CycleRow): unknown {
    const { store } = this.run;
    const here = store.cycle;
    if (row.cycle === here) return nothing;
    return html`<p class="quiet-line">The last one of this pod. At the playhead is <button type="button" class="link" @click=${() => this.run.openCycle(here)}>cycle ${count(here)}</button>.</p>`;
  }

  private none(): unknown {
    const { store, pod } = this.run;
    if (pod !== null && store.cycle > 0) return emptyState("No cycle yet", `${pod} has had no cycle up to the playhead.`);
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

  get openedPoint(): string {
    return this.run.view("point") ?? "";
  }

  openPoint(name: string): void {
    this.run.setView({ point: name || null }, true);
  }

  selectPod(name: string): void {
    this.run.selectPod(name);
  }

  showReason(part: MessagePart): void {
    showReason(this, part);
  }

  /** `detail` is what of the `whole` is decided at the playhead. */
  private body(whole: CycleDetail, detail: CycleDetail): TemplateResult {
    return html`${this.points(whole, detail)} ${explanationView(detail, (node) => this.run.selectNode(node))} ${remediesView(detail.remedies)}
      ${verdictSection(detail, this, "Verdicts")} ${numbersView(detail)}
      ${scoreTable(detail, this.scores, (state) => {
        this.scores = state;
        this.requestUpdate();
      })}
      ${preemptionView(detail, this)} ${messageView(detail, reasonOf(this.run, detail), this)}`;
  }

  private points(whole: CycleDetail, detail: CycleDetail): TemplateResult {
    const { store } = this.run;
    const row = store.cycles.row(detail.cycle);
    const inside = row !== undefined && store.state.seq < row.lastSeq;
    const stop = inside && store.stop ? stopsAfter(store, whole, store.state.seq)[store.stop - 1] : undefined;
    const at = inside ? (stop?.point ?? pointOf(store.event(store.state.seq))) : "";
    return html`${pointsView(pointsOf(detail, store, this.run.ended), at, this)}
    ${stop ? html`<p class="quiet-line stop">${stop.point}: <span class="mono">${stop.plugin}</span> was asked</p>` : nothing}`;
  }
}

/** "5 fit of 12 nodes"; where not all were looked at, of how many: the others are not refused. */
function fitWords(row: CycleRow): unknown {
  const all = counted(row.numNodes, "node");
  if (row.numEvaluated >= row.numNodes) return `${all}, ${count(row.numFeasible)} fit`;
  return html`<span title="kube-scheduler stops once it has found enough nodes that fit">${count(row.numFeasible)} fit of ${count(row.numEvaluated)} looked at, ${all}</span>`;
}

customElements.define("sp-cycle", SpCycle);
