/** What two runs use of each resource, side by side over cycles or time, and how long their pods waited. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, percent, time } from "../base/format";
import { onTheme } from "../base/theme";
import { utilisation } from "../trace/series";
import { ChartBoxes } from "./chart_boxes";
import { CompareView, LETTERS } from "./compare_view";
import type { ChartData } from "./line_chart";
import { resolver } from "./map_palette";
import { term } from "./term";
import { waitsView } from "./waits_view";

const RESOURCES = 2;
/** Where the y axis may end. */
const TOPS = [0.05, 0.1, 0.2, 0.5, 1];
/** While events rush in the whole runs are read for it so seldom. */
const MEASURED_MS = 2000;
const TOKENS = ["--side-before", "--side-after"] as const;

class SpTwinCharts extends CompareView {
  override readonly pace = "rest";
  private readonly boxes = new ChartBoxes(() => {
    this.drawnOf = "";
    this.requestUpdate();
  });
  private readonly shares = new Map<string, [Float64Array, Float64Array]>();
  private measuredOf = "";
  private measuredAt = -Infinity;
  private drawnOf = "";
  private forgetTheme: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forgetTheme = onTheme(() => {
      this.drawnOf = "";
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.boxes.stop();
    this.forgetTheme();
  }

  protected override render(): unknown {
    const { answer } = this.compare;
    this.measure();
    return html`<div class="compare-charts">
      ${answer ? waitsView(answer) : nothing}
      ${this.shares.size
        ? html`<section class="sheet usage" aria-labelledby="usage-title">
            <h2 class="sheet-title" id="usage-title">${term("requests", "Requested")} of ${term("allocatable")}</h2>
            <div class="usage-charts">${[...this.shares.keys()].map((name) => this.figure(name))}</div>
          </section>`
        : nothing}
    </div>`;
  }

  private figure(name: string): TemplateResult {
    const now = ([0, 1] as const).map((side) => percent(this.shareNow(name, side)));
    return html`<figure class="chart">
      <figcaption>
        <h3>${name}</h3>
        <span class="chart-legend">${now.map((words, side) => html`<span><span class="side-mark ${side ? "after" : "before"}">${LETTERS[side]}</span> <strong class="num">${words}</strong></span>`)}</span>
      </figcaption>
      <div class="chart-box" data-chart=${name}>
        <canvas aria-hidden="true"></canvas>
        <canvas role="img" aria-label="${name} at the playhead: ${now[0]} in A, ${now[1]} in B" @click=${(event: MouseEvent) => this.goto(name, event)}></canvas>
      </div>
    </figure>`;
  }

  /** The share in use where the playhead stands. */
  private shareNow(name: string, side: 0 | 1): number {
    const { model, store } = this.compare.runs[side]!;
    const all = model!.allocatableColumn(name).reduce((sum, one) => sum + one, 0);
    const used = model!.used(name, store.state).reduce((sum, one) => sum + one, 0);
    return all ? used / all : 0;
  }

  private goto(name: string, event: MouseEvent): void {
    const drawn = this.boxes.charts.get(name);
    if (!drawn?.data) return;
    const value = drawn.chart.valueAt(event.offsetX, drawn.data);
    if (this.compare.byTime) this.compare.gotoTime(value);
    else this.compare.goto(this.compare.alignment.cellOf(Math.round(value), Math.round(value)));
  }

  private measure(): void {
    const { runs, complete } = this.compare;
    if (!runs.every((run) => run.model && run.store.cycles.size)) return;
    const of = runs.map((run) => `${run.store.lastSeq} ${run.model!.version}`).join();
    const now = performance.now();
    if (of === this.measuredOf || (!complete && now - this.measuredAt < MEASURED_MS)) return;
    this.measuredOf = of;
    this.measuredAt = now;
    const [one, other] = runs.map((run) => ({ model: run.model!, store: run.store }));
    for (const name of one!.model.resources.slice(0, RESOURCES)) {
      this.shares.set(name, [utilisation(one!.store, one!.model, name), utilisation(other!.store, other!.model, name)]);
    }
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    this.boxes.adopt(this);
    if (this.boxes.charts.size) this.draw();
  }

  private draw(): void {
    const { compare } = this;
    const resolve = resolver(this);
    const look = { ink: resolve("var(--ink)"), quiet: resolve("var(--ink-3)"), grid: resolve("var(--line)"), font: getComputedStyle(this).fontFamily };
    const of = `${this.measuredOf} ${compare.byTime}`;
    if (this.drawnOf !== of) {
      this.drawnOf = of;
      for (const [name, drawn] of this.boxes.charts) {
        drawn.data = this.dataOf(name, resolve);
        drawn.chart.draw(drawn.data, look);
      }
    }
    const at = compare.byTime ? compare.us : Math.max(...compare.cycles);
    for (const { chart, data } of this.boxes.charts.values()) if (data) chart.point(at, data, look);
  }

  private dataOf(name: string, resolve: (expression: string) => string): ChartData {
    const { byTime, endUs, runs } = this.compare;
    const shares = this.shares.get(name)!;
    const lines = shares.map((values, side) => ({
      color: resolve(`var(${TOKENS[side]!})`),
      values,
      ...(byTime ? { at: runs[side]!.series.begun.slice() } : {}),
    }));
    const most = Math.max(...shares.map((values) => values.reduce((a, b) => Math.max(a, b), 0)));
    const top = TOPS.find((one) => one >= most) ?? most;
    const cycles = Math.max(...shares.map((values) => values.length));
    return { lines, at: null, endX: byTime ? endUs : cycles, top, yWords: percent, xWords: byTime ? time : count };
  }
}

customElements.define("sp-twin-charts", SpTwinCharts);
