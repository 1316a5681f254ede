/** The cycles as they come, one line each; only those on the screen are drawn. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, podName, reasonOf, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { windowOf } from "../base/windowed";
import { CycleResult } from "../trace/cycle_index";
import type { CycleRow } from "../trace/cycle_index";
import { rowSoFar } from "../trace/cycle_so_far";
import { untriedOf } from "../trace/untried";
import { RunView, emptyState, glyph, skeleton } from "./light";
import { Scroller } from "./scroller";
import type { SpRun } from "./sp-run";
import { styled } from "./styled";

const ROW = 26;

class SpCycles extends RunView {
  private readonly scroller = new Scroller(() => this.requestUpdate());
  private lastShown = -1;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.scroller.stop();
  }

  protected override render(): unknown {
    const { store } = this.run;
    const total = store.cycles.size;
    if (total === 0) return this.none();
    const { moving } = this.run;
    if (store.cycle !== this.lastShown && !moving) {
      this.scroller.aim(store.cycle - 1, ROW, total);
      this.lastShown = store.cycle;
    }
    const shown = moving ? this.scroller.brought(store.cycle - 1, ROW, total) : windowOf(total, ROW, this.scroller.top, this.scroller.height);
    const rows = store.cycles.rows.slice(shown.first, shown.last);
    return html`<div class="scroll" tabindex="-1" @scroll=${this.scroller.scrolled}>
      <ol class="cycle-list" start=${shown.first + 1} aria-label="Cycles, ${count(total)}">
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.before}px` })}></li>
        ${rows.map((row) => this.row(rowSoFar(store, row.cycle) ?? row))}
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.after}px` })}></li>
      </ol>
    </div>`;
  }

  private none(): unknown {
    const { run } = this;
    if (run.ended) return noCycle(run);
    return skeleton(6, "Waiting for the first cycle");
  }

  private row(row: CycleRow): TemplateResult {
    const { store } = this.run;
    const pod = store.words.pods.name(row.pod);
    const here = row.cycle === store.cycle;
    const later = row.firstSeq > store.state.seq;
    const mine = this.run.pod === pod;
    return html`<li>
      <button
        type="button"
        class="cycle-row ${later ? "later" : ""} ${mine ? "mine" : ""}"
        aria-current=${here ? "step" : nothing}
        title=${`Cycle ${row.cycle}: ${pod}, attempt ${row.attempt}, ${time(row.tUs)}${row.message ? `\n${row.message}` : ""}`}
        @click=${() => this.run.openCycle(row.cycle)}
      >
        <span class="num">${row.cycle}</span>
        ${later ? glyph("absent", "to come") : glyph(glyphOfCycle(row), wordOfCycle(row))}
        ${this.name(pod, podName(pod))}
        <span class="to">${later ? nothing : this.outcome(row)}</span>
      </button>
    </li>`;
  }

  private outcome(row: CycleRow): unknown {
    if (row.result === CycleResult.SCHEDULED) return this.name(this.run.store.words.nodes.name(row.node));
    if (row.result === CycleResult.RUNNING) return "…";
    if (row.numVictims) return `evicts ${row.numVictims}`;
    return reasonOf(row.message) || "refused";
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    this.scroller.watch(this.querySelector<HTMLElement>(".scroll"));
    this.scroller.settle();
  }
}

/** Why an ended run has no cycle. */
export function noCycle(run: SpRun): TemplateResult {
  const whole = run.info.status === "finished";
  if (untriedOf(run.store, run.model).length) return emptyState("No cycle", "No profile has the schedulerName of the pods that are pending, so none was tried.");
  return emptyState("No cycle", whole ? "No pod was pending, or all are held by a gate." : "The run ended before its first one.");
}

export function glyphOfCycle(row: CycleRow): GlyphName {
  if (row.result === CycleResult.SCHEDULED) return "bound";
  if (row.result === CycleResult.RUNNING) return "flight";
  if (row.numVictims) return "victim";
  return row.result === CycleResult.ERROR ? "final" : "refused";
}

export function wordOfCycle(row: CycleRow): string {
  if (row.result === CycleResult.SCHEDULED) return "scheduled";
  if (row.result === CycleResult.RUNNING) return "running";
  if (row.numVictims) return "preempts";
  return row.result === CycleResult.ERROR ? "error" : "unschedulable";
}

customElements.define("sp-cycles", SpCycles);
