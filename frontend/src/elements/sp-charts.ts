/** How the run goes: queue depths, what is used, why pods wait, which plugin refuses most. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, counted, percent, time } from "../base/format";
import { onTheme } from "../base/theme";
import { DEPTHS, pendingByPlugin, utilisation } from "../trace/series";
import { ChartBoxes } from "./chart_boxes";
import { RunView, emptyState, skeleton } from "./light";
import { roundUp } from "./line_chart";
import type { ChartData, ChartLook } from "./line_chart";
import { styled } from "./styled";
import { term } from "./term";

/** While the run goes on, the charts are drawn anew so seldom. */
const REDRAW_MS = 1000;
const RESOURCES_SHOWN = 5;
const BARS_SHOWN = 8;
const RESOURCE_TOKENS = ["--plugin-1", "--refused", "--fits", "--backoff", "--victim"];
const DEPTH_TOKENS = { active: "--active", backoff: "--backoff", unschedulable: "--refused", gated: "--assumed" } as const;

class SpCharts extends RunView {
  private readonly boxes = new ChartBoxes(() => {
    this.drawnOf = "";
    this.requestUpdate();
  });
  private colors = new Map<string, string>();
  private shares = new Map<string, Float64Array>();
  private sharesOf = "";
  private drawnOf = "";
  private drawnAt = -Infinity;
  private forgetTheme: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forgetTheme = onTheme(() => {
      this.colors.clear();
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
    const { run } = this;
    if (!run.model) return skeleton(6, "Reading the charts");
    if (run.store.cycles.size === 0) return run.ended ? emptyState("Nothing to draw", "The run had no cycle.") : skeleton(6, "Waiting for the first cycle");
    this.measure();
    return html`<div class="charts" tabindex="-1">
      ${this.figure("depth", html`${term("activeQ", "Queue")} depth`, DEPTHS.map((name) => [name, DEPTH_TOKENS[name], count(this.depthNow(name))]))}
      ${this.figure("used", html`${term("requests", "Requested")} of ${term("allocatable")}`, [...this.shares].map(([name, values], i) => [name, RESOURCE_TOKENS[i]!, percent(this.atPlayhead(values))]))}
      ${this.bars("Pending by plugin", "No pod waits here.", pendingByPlugin(run.store).map((row) => [row.plugin, row.pods, counted(row.pods, "pod")]))}
      ${this.bars("Refusals up to here", "No plugin has refused a node yet.", run.series.refusedUpTo(run.store.cycle).map((row) => [row.plugin, row.nodes, `${counted(row.nodes, "node")} in ${counted(row.cycles, "cycle")}`]), true)}
    </div>`;
  }

  private depthNow(name: (typeof DEPTHS)[number]): number {
    return this.run.series.depth(name)[this.run.store.cycle - 1] ?? 0;
  }

  private atPlayhead(values: Float64Array): number {
    return values[Math.max(0, this.run.store.cycle - 1)] ?? 0;
  }

  private get byTime(): boolean {
    return this.run.view("axis") === "time";
  }

  /** Shares in use: the whole run is read for them, so not with every frame of a run that goes on. */
  private measure(): void {
    const { run } = this;
    const now = performance.now();
    const of = `${run.store.cycles.size}`;
    if (of === this.sharesOf || (!run.ended && now - this.drawnAt < REDRAW_MS)) return;
    this.sharesOf = of;
    this.drawnAt = now;
    this.shares = new Map(run.model!.resources.slice(0, RESOURCES_SHOWN).map((name) => [name, utilisation(run.store, run.model!, name)]));
  }

  private figure(name: string, title: unknown, legend: (readonly [string, string, string])[]): TemplateResult {
    const { run } = this;
    return html`<figure class="chart">
      <figcaption>
        <h3>${title}</h3>
        <span class="chart-legend">
          ${legend.map(([word, token, value]) => html`<span><i ${styled({ "background-color": `var(${token})` })}></i>${word} <strong class="num">${value}</strong></span>`)}
        </span>
      </figcaption>
      <div class="chart-box" data-chart=${name}>
        <canvas aria-hidden="true"></canvas>
        <canvas
          role="img"
          aria-label="${legend.map(([word, , value]) => `${word} ${value}`).join(", ")} at cycle ${count(run.store.cycle)} of ${count(run.store.cycles.size)}"
          @click=${(event: MouseEvent) => this.goto(name, event)}
        ></canvas>
      </div>
    </figure>`;
  }

  private goto(name: string, event: MouseEvent): void {
    const drawn = this.boxes.charts.get(name);
    if (!drawn?.data) return;
    const value = drawn.chart.valueAt(event.offsetX, drawn.data);
    if (this.byTime) this.run.player.scrubTime(value);
    else this.run.player.scrub(Math.round(value));
  }

  private bars(title: string, empty: string, rows: (readonly [string, number, string])[], breaks = false): TemplateResult {
    const most = rows.reduce((max, row) => Math.max(max, row[1]), 1);
    return html`<section class="chart">
      <h3>${title}</h3>
      ${rows.length === 0 ? html`<p class="quiet">${empty}</p>` : nothing}
      <ul class="bars">
        ${rows.slice(0, BARS_SHOWN).map(
          ([name, value, words]) => html`<li>
            ${breaks
              ? html`<button type="button" class="link mono" title="Break on its refusals" @click=${() => this.run.player.breakOn({ kind: "rejects", what: name })}>${name}</button>`
              : html`<span class="mono">${term(name)}</span>`}
            <span class="bar-track"><i ${styled({ width: `${((value / most) * 100).toFixed(1)}%` })}></i></span>
            <span class="num">${words}</span>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    this.boxes.adopt(this);
    if (this.boxes.charts.size) this.draw();
  }

  private draw(): void {
    const { run } = this;
    const of = `${run.series.depth("active").length} ${this.sharesOf} ${this.byTime}`;
    const look = this.look;
    if (of !== this.drawnOf) {
      this.drawnOf = of;
      const lines = DEPTHS.map((name) => ({ color: this.color(DEPTH_TOKENS[name]), values: run.series.depth(name) }));
      const most = lines.reduce((max, line) => line.values.reduce((a, b) => Math.max(a, b), max), 0);
      this.chart("depth", { ...this.axis(), lines, top: roundUp(most), yWords: count });
      const used = [...this.shares.values()].map((values, i) => ({ color: this.color(RESOURCE_TOKENS[i]!), values }));
      this.chart("used", { ...this.axis(), lines: used, top: 1, yWords: percent });
    }
    const at = this.byTime ? run.store.state.tUs : run.store.cycle;
    for (const { chart, data } of this.boxes.charts.values()) if (data) chart.point(at, data, look);
  }

  private axis(): Pick<ChartData, "at" | "endX" | "xWords"> {
    const { store, series } = this.run;
    if (!this.byTime) return { at: null, endX: store.cycles.size, xWords: (value) => count(value) };
    return { at: series.begun, endX: store.event(store.lastSeq)?.t_us ?? 0, xWords: time };
  }

  private chart(name: string, data: ChartData): void {
    const drawn = this.boxes.charts.get(name);
    if (!drawn) return;
    drawn.data = data;
    drawn.chart.draw(data, this.look);
  }

  private get look(): ChartLook {
    return { ink: this.color("--ink"), quiet: this.color("--ink-3"), grid: this.color("--line"), font: getComputedStyle(this).fontFamily };
  }

  private color(token: string): string {
    const known = this.colors.get(token);
    if (known) return known;
    const probe = document.createElement("i");
    probe.style.color = `var(${token})`;
    probe.hidden = true;
    this.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    this.colors.set(token, color);
    return color;
  }
}

customElements.define("sp-charts", SpCharts);
