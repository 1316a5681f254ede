/** One playhead for two runs: the ribbon of cycles, equal ones grey, and what was decided where it stands. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, podName, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { keyMap } from "../base/keys";
import { onTheme } from "../base/theme";
import { Kind, isDifferent } from "../trace/alignment";
import { CycleResult } from "../trace/cycle_index";
import { CompareView, LETTERS } from "./compare_view";
import type { Side } from "./compare_view";
import { iconButton } from "./icon_button";
import { emptyState, glyph, nameText, skeleton } from "./light";
import { resolver } from "./map_palette";
import { KIND_TOKENS, RibbonCanvas } from "./ribbon_canvas";
import { styled } from "./styled";

const KINDS: readonly (readonly [kind: number, glyph: GlyphName, one: string])[] = [
  [Kind.MOVED, "changed", "on another node"],
  [Kind.PENDING, "unschedulable", "placed in A alone"],
  [Kind.RESCUED, "bound", "placed in B alone"],
  [Kind.VICTIMS, "victim", "other victims"],
  [Kind.BEFORE, "absent", "only in A"],
  [Kind.AFTER, "assumed", "only in B"],
];
const PLAY_MS = 400;
const TIME_STEPS = 2000;

class SpRibbon extends CompareView {
  private ribbon: RibbonCanvas | null = null;
  private colors: string[] = [];
  private drawnOf = "";
  private timer = 0;
  private forget: (() => void)[] = [];
  private readonly resized = new ResizeObserver((entries) => {
    const { width, height } = entries[entries.length - 1]!.contentRect;
    if (this.ribbon?.resize(Math.floor(width), Math.floor(height))) this.redraw();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    const { compare } = this;
    const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: "Time", run });
    this.forget = [
      keyMap.add(
        key("space", "play or pause", () => this.toggle()),
        key("left", "one cycle back", () => this.step(-1)),
        key("right", "one cycle on", () => this.step(1)),
        key("d", "next difference", () => this.jump(1)),
        key("shift+d", "last difference", () => this.jump(-1)),
        key("home", "before the first cycle", () => compare.goto(0)),
        key("end", "both ends", () => compare.follow()),
        key("x", "scrub over cycles or over time", () => compare.setAxis(!compare.byTime)),
      ),
      onTheme(() => this.redraw()),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
    this.resized.disconnect();
    this.ribbon = null;
    for (const forget of this.forget) forget();
  }

  private redraw(): void {
    this.colors = [];
    this.drawnOf = "";
    this.requestUpdate();
  }

  private step(by: 1 | -1): void {
    this.pause();
    this.compare.goto(this.compare.cell + by);
  }

  private jump(by: 1 | -1): void {
    this.pause();
    const { alignment, live, cell } = this.compare;
    const next = alignment.nextDifference(live && by === 1 ? 0 : cell, by);
    if (next) this.compare.goto(next, true);
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.requestUpdate();
  }

  private toggle(): void {
    const { compare } = this;
    if (this.timer) return this.pause();
    if (compare.cell >= compare.alignment.size) compare.goto(0);
    this.timer = window.setInterval(() => {
      if (compare.cell >= compare.alignment.size) this.pause();
      else compare.goto(compare.cell + 1);
    }, PLAY_MS);
    this.requestUpdate();
  }

  protected override render(): unknown {
    const { compare } = this;
    if (!compare.runs.every((run) => run.ready)) return skeleton(2, "Reading the cycles");
    const { alignment } = compare;
    if (alignment.size === 0) return compare.complete ? emptyState("No cycles", "Neither run had anything to place.") : skeleton(2, "Waiting for the first cycle");
    return html`<div class="ribbon" tabindex="-1">
      ${this.legend()}
      <div class="ribbon-box" @click=${(event: MouseEvent) => this.seek(event)}>
        <canvas aria-hidden="true"></canvas>
        <i class="ribbon-head" ${styled({ left: `${((this.ribbon?.placeOf(compare.cell, alignment.size) ?? 0) * 100).toFixed(3)}%` })}></i>
      </div>
      ${this.transport()} ${this.standing()}
    </div>`;
  }

  /** How many cycles differ and how: each a button to the next one. */
  private legend(): TemplateResult {
    const { alignment } = this.compare;
    const { counts } = alignment;
    const kinds = KINDS.filter(([kind]) => counts[kind]);
    return html`<p class="ribbon-legend">
      <span><i class="ribbon-same"></i>${count(counts[Kind.SAME]!)} alike</span>
      ${kinds.map(([kind, name, words]) => html`<button type="button" class="link" title="Go to the next one" @click=${() => this.next(kind)}>${glyph(name)} <span class="num">${count(counts[kind]!)}</span> ${words}</button>`)}
      ${counts[Kind.NOT_YET] ? html`<span class="quiet">${count(counts[Kind.NOT_YET]!)} not compared yet: one run has not come so far</span>` : nothing}
    </p>`;
  }

  private next(kind: number): void {
    const { alignment, cell, live } = this.compare;
    const from = live ? 0 : cell;
    const found = alignment.kind.indexOf(kind, from);
    const first = found >= 0 ? found : alignment.kind.indexOf(kind);
    if (first >= 0) this.compare.goto(first + 1, true);
  }

  private seek(event: MouseEvent): void {
    if (!this.ribbon) return;
    this.pause();
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    this.compare.goto(this.ribbon.cellAt(event.clientX - box.left, this.compare.alignment.size), true);
  }

  private transport(): TemplateResult {
    const { compare } = this;
    const { size, first } = compare.alignment;
    return html`<div class="ribbon-bar" role="group" aria-label="Playhead of both runs">
      ${compare.byTime ? this.timeRange() : this.cellRange()}
      <span class="transport">
        ${iconButton("Before the first cycle (Home)", "M3 2v8M10 2L5 6l5 4z", () => compare.goto(0), false)}
        ${iconButton("One cycle back (←)", "M9 2L3 6l6 4z", () => this.step(-1), compare.cell === 0)}
        ${this.timer ? iconButton("Pause (space)", "M3.5 2v8M8.5 2v8", () => this.toggle(), false, "pause") : iconButton("Play (space)", "M3 1.5L10.5 6L3 10.5z", () => this.toggle(), false)}
        ${iconButton("One cycle on (→)", "M3 2l6 4l-6 4z", () => this.step(1), compare.cell >= size)}
        ${iconButton("Both ends (End)", "M2 2l5 4l-5 4zM9 2v8", () => compare.follow(), false)}
      </span>
      <span class="num quiet">t ${time(compare.us)}</span>
      <span class="ribbon-tools">
        <label class="choice"><span>over</span>
          <select aria-label="Scrub over" @change=${(event: Event) => compare.setAxis((event.target as HTMLSelectElement).value === "time")}>
            <option value="cycles" ?selected=${!compare.byTime}>cycles</option>
            <option value="time" ?selected=${compare.byTime}>time</option>
          </select>
        </label>
        <button type="button" class="button small" ?disabled=${!first} title="shift+d" @click=${() => this.jump(-1)}>Last difference</button>
        <button type="button" class="button small" ?disabled=${!first} title="d" @click=${() => this.jump(1)}>Next difference</button>
      </span>
    </div>`;
  }

  private cellRange(): TemplateResult {
    const { compare } = this;
    const { size } = compare.alignment;
    const [before, after] = compare.cycles;
    return html`<input type="range" min="0" max=${size} step="1" .value=${String(compare.cell)} aria-label="Cycles of both runs" aria-valuetext="cycle ${before} of A, cycle ${after} of B"
      @input=${(event: Event) => this.drag(() => compare.goto(Number((event.target as HTMLInputElement).value)))} />`;
  }

  private timeRange(): TemplateResult {
    const { compare } = this;
    return html`<input type="range" min="0" max=${compare.endUs} step=${Math.max(1, Math.round(compare.endUs / TIME_STEPS))} .value=${String(compare.us)} aria-label="Virtual time of both runs" aria-valuetext=${time(compare.us)}
      @input=${(event: Event) => this.drag(() => compare.gotoTime(Number((event.target as HTMLInputElement).value)))} />`;
  }

  private drag(move: () => void): void {
    this.pause();
    move();
  }

  /** What each run decided where the playhead stands. */
  private standing(): TemplateResult {
    const { compare } = this;
    const { alignment, cell } = compare;
    const kind = cell ? alignment.kind[cell - 1]! : Kind.SAME;
    const said = KINDS.find(([one]) => one === kind);
    return html`<div class="ribbon-standing ${isDifferent(kind) ? "differs" : ""}">
      ${([0, 1] as const).map((side) => this.decided(side))}
      ${this.painted()}
      <span class="ribbon-kind">${said && cell ? html`${glyph(said[1])} ${said[2]}` : cell ? "alike" : "before the first cycle"}</span>
    </div>`;
  }

  /** Whose verdicts the maps paint in place of what differs. */
  private painted(): unknown {
    const pod = this.compare.runs[1]!.pod;
    if (pod === null) return nothing;
    return html`<button type="button" class="link ribbon-painted" title="Paint again what differs" @click=${() => this.compare.selectPod(null)}>verdicts on ${nameText(pod, podName(pod))} ✕</button>`;
  }

  private decided(side: Side): TemplateResult {
    const { compare } = this;
    const { store } = compare.runs[side]!;
    const here = (side ? compare.alignment.after : compare.alignment.before)[compare.cell - 1];
    const cycle = compare.byTime ? compare.cycles[side] : here;
    const row = cycle ? store.cycles.row(cycle) : undefined;
    const letter = html`<span class="side-mark ${side ? "after" : "before"}">${LETTERS[side]}</span>`;
    if (!row) return html`<span class="ribbon-side">${letter} <span class="quiet">${compare.cell ? "no such attempt" : "–"}</span></span>`;
    const pod = store.words.pods.name(row.pod);
    const placed = row.result === CycleResult.SCHEDULED;
    return html`<span class="ribbon-side">${letter} <a class="num" href="/runs/${compare.runs[side]!.runId}/?cycle=${row.cycle}" title="Open this cycle in its run">cycle ${count(row.cycle)}</a>
      <button type="button" class="link" title=${pod} @click=${() => compare.selectPod(pod)}>${nameText(pod, podName(pod))}</button>
      ${placed ? html`${glyph("chosen", "chosen")} ${nameText(store.words.nodes.name(row.node))}` : row.result === CycleResult.RUNNING ? html`<span class="quiet">being decided</span>` : html`${glyph("unschedulable")} <span>no node</span>`}
    </span>`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const box = this.querySelector(".ribbon-box");
    if (!box) return;
    if (!this.ribbon) {
      this.ribbon = new RibbonCanvas(box.querySelector("canvas")!);
      this.resized.observe(box);
    }
    const { alignment } = this.compare;
    const of = `${alignment.size} ${alignment.counts.join(" ")} ${box.clientWidth}`;
    if (of === this.drawnOf) return;
    this.drawnOf = of;
    if (!this.colors.length) {
      const resolve = resolver(this);
      this.colors = KIND_TOKENS.map((token) => resolve(`var(${token})`));
    }
    this.ribbon.draw(alignment, this.colors);
  }
}

customElements.define("sp-ribbon", SpRibbon);
