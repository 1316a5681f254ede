/** The playhead over the cycles: step, play, live; ticks where a pod was refused or evicted others. */

import { html, svg } from "lit";
import type { TemplateResult } from "lit";
import { keyMap } from "../base/keys";
import { count, time } from "../base/format";
import { CycleResult } from "../trace/cycle_index";
import { breakView } from "./break_view";
import { iconButton } from "./icon_button";
import { RunView } from "./light";
import { PACES } from "./player";

const COLUMNS = 600;
const TIME_STEPS = 2000;

class SpScrubber extends RunView {
  override readonly pace = "every";
  private marks: TemplateResult | null = null;
  private markedOf = "";
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const { player } = this.run;
    const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: "Time", run });
    this.release = keyMap.add(
      key("space", "play or pause", () => player.toggle()),
      key("left", "one cycle back", () => player.stepCycle(-1)),
      key("right", "one cycle on", () => player.stepCycle(1)),
      key("shift+left", "one plugin or event back", () => player.stepEvent(-1)),
      key("shift+right", "one plugin or event on", () => player.stepEvent(1)),
      key("[", "this pod's last attempt", () => player.stepAttempt(-1)),
      key("]", "this pod's next attempt", () => player.stepAttempt(1)),
      key(".", "next rejection", () => player.nextRejection()),
      key("home", "before the first cycle", () => player.jump(0)),
      key("end", "newest event", () => player.follow()),
      key("b", "next break", () => player.stepBreak(1)),
      key("shift+b", "last break", () => player.stepBreak(-1)),
      key("x", "scrub over cycles or over time", () => this.setAxis(this.axis === "time" ? "cycles" : "time")),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  protected override render(): unknown {
    const { run } = this;
    const { store, player } = run;
    const total = store.cycles.size;
    return html`<div class="scrubber" role="group" aria-label="Playhead">
      <span class="transport">
        ${iconButton("Before the first cycle (Home)", "M3 2v8M10 2L5 6l5 4z", () => player.jump(0), total === 0)}
        ${iconButton("One cycle back (←)", "M9 2L3 6l6 4z", () => player.stepCycle(-1), store.cycle === 0)}
        ${player.playing
          ? iconButton("Pause (space)", "M3.5 2v8M8.5 2v8", () => player.toggle(), false, "pause")
          : iconButton("Play (space)", "M3 1.5L10.5 6L3 10.5z", () => player.toggle(), total === 0)}
        ${iconButton("One cycle on (→)", "M3 2l6 4l-6 4z", () => player.stepCycle(1), store.cycle >= total && store.state.seq >= store.lastSeq)}
        ${iconButton("Newest event (End)", "M2 2l5 4l-5 4zM9 2v8", () => player.follow(), total === 0)}
      </span>
      <span class="readout num">
        <span class="visually-hidden">Playhead at </span><span class="readout-word">cycle </span><strong>${count(store.cycle)}</strong> / ${count(total)}
        <span class="quiet">t ${time(store.state.tUs)}</span>
      </span>
      <span class="track">
        ${this.ticks(total)} ${this.axis === "time" ? this.timeRange() : this.cycleRange(total)}
      </span>
      <label class="choice axis">
        <span>over</span>
        <select aria-label="Scrub over" @change=${(event: Event) => this.setAxis((event.target as HTMLSelectElement).value)}>
          <option value="cycles" ?selected=${this.axis === "cycles"}>cycles</option>
          <option value="time" ?selected=${this.axis === "time"}>time</option>
        </select>
      </label>
      ${breakView(run)}
      <label class="choice">
        <span>speed</span>
        <select @change=${(event: Event) => player.setPace(Number((event.target as HTMLSelectElement).value))}>
          ${PACES.map((pace) => html`<option value=${pace} ?selected=${pace === player.pace}>${pace}/s</option>`)}
        </select>
      </label>
      <button type="button" class="button small live" aria-pressed=${store.live} @click=${() => player.follow()}>${run.ended ? "End" : "Live"}</button>
    </div>`;
  }

  private get axis(): "cycles" | "time" {
    return this.run.view("axis") === "time" ? "time" : "cycles";
  }

  private setAxis(axis: string): void {
    this.run.setView({ axis: axis === "time" ? "time" : null });
  }

  private cycleRange(total: number): TemplateResult {
    const { store, player } = this.run;
    return html`<input
      type="range"
      min="0"
      max=${total}
      step="1"
      .value=${String(store.cycle)}
      ?disabled=${total === 0}
      aria-label="Cycle"
      aria-valuetext="cycle ${store.cycle} of ${total}"
      @input=${(event: Event) => player.scrub(Number((event.target as HTMLInputElement).value))}
    />`;
  }

  private timeRange(): TemplateResult {
    const { store, player } = this.run;
    return html`<input
      type="range"
      min="0"
      max=${this.endUs}
      step=${Math.max(1, Math.round(this.endUs / TIME_STEPS))}
      .value=${String(store.state.tUs)}
      ?disabled=${this.endUs === 0}
      aria-label="Virtual time"
      aria-valuetext=${time(store.state.tUs)}
      @input=${(event: Event) => player.scrubTime(Number((event.target as HTMLInputElement).value))}
    />`;
  }

  private get endUs(): number {
    const { store } = this.run;
    return store.event(store.lastSeq)?.t_us ?? 0;
  }

  /** One path for all ticks of a kind, a column each at most, made anew only when cycles, axis or breakpoint have changed. */
  private ticks(total: number): TemplateResult | null {
    const { breaks } = this.run.player;
    const of = `${total} ${this.axis} ${breaks ? `${breaks.found.length} ${this.run.view("break")}` : ""}`;
    if (of === this.markedOf) return this.marks;
    this.markedOf = of;
    const { store } = this.run;
    const end = this.endUs || 1;
    const place = (cycle: number, us: number) => Math.round((this.axis === "time" ? us / end : cycle / Math.max(1, total)) * COLUMNS);
    const refused = new Set<number>();
    const evicting = new Set<number>();
    for (const row of store.cycles.rows) {
      if (row.result < CycleResult.UNSCHEDULABLE) continue;
      (row.numVictims ? evicting : refused).add(place(row.cycle, row.tUs));
    }
    const met = new Set(breaks?.found.map((seq) => place(store.cycles.at(seq), store.event(seq)!.t_us)));
    const path = (columns: Set<number>, from = 0, to = 10) => [...columns].map((x) => `M${x} ${from}V${to}`).join("");
    this.marks = html`<svg class="ticks" viewBox="0 0 ${COLUMNS} 10" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<path class="tick-refused" d=${path(refused)}></path><path class="tick-victim" d=${path(evicting)}></path><path class="tick-break" d=${path(met, -22, -14)}></path>`}
    </svg>`;
    return this.marks;
  }
}

customElements.define("sp-scrubber", SpScrubber);
