/** Two runs and one playhead: owns what is compared, moves both runs, keeps the page's address. Draws nothing itself. */

import { html } from "lit";
import { compareRuns } from "../api/compare";
import type { Comparison } from "../api/compare";
import { ApiError } from "../api/problem";
import { readAddress, writeAddress } from "../base/address";
import { Alignment, Kind, PlaceDifference } from "../trace/alignment";
import { outcomeWords } from "../trace/outcome_words";
import type { CompareView } from "./compare_view";
import { LightElement } from "./light";
import type { SpRun } from "./sp-run";
import type { Verdict as Mark } from "./map_scene";

const ASK_AGAIN_MS = 2500;
const NOTE_DELAY_MS = 200;
/** While the playhead is drawn along, every so manyth frame says anew what differs on each node. */
const PAINTED = 6;

export class SpCompare extends LightElement {
  readonly views = new Set<CompareView>();
  /** Before and after. */
  runs: SpRun[] = [];
  alignment!: Alignment;
  answer: Comparison | null = null;
  problem = "";
  byTime = false;
  /** Where the playhead stands: a cell of the cycles side by side, or a virtual time. */
  cell = 0;
  us = 0;
  live = true;
  private places!: PlaceDifference;
  private dirty = false;
  private turn = 0;
  private noting = 0;
  private later = 0;
  private marked = "";
  private wanted: number | null = null;
  private readonly asked = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.runs = [...this.querySelectorAll<SpRun>("sp-run")];
    const [one, other] = this.stores;
    this.alignment = new Alignment(one, other);
    this.places = new PlaceDifference(one, other);
    const listener = { pace: "every", requestUpdate: () => this.touch() } as const;
    for (const run of this.runs) run.watch(listener);
    this.addEventListener("looked", (event) => this.look(event as CustomEvent<{ step: boolean }>));
    window.addEventListener("popstate", this.goBack);
    this.goBack();
    void this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("popstate", this.goBack);
    this.asked.abort();
    clearTimeout(this.later);
    clearTimeout(this.noting);
  }

  protected override render(): unknown {
    return html``;
  }

  get stores(): [SpRun["store"], SpRun["store"]] {
    return [this.runs[0]!.store, this.runs[1]!.store];
  }

  /** Whether all events of both are here. */
  get complete(): boolean {
    return this.runs.every((run) => run.complete);
  }

  get endUs(): number {
    return Math.max(...this.stores.map((store) => store.event(store.lastSeq)?.t_us ?? 0));
  }

  /** The cycles at the playhead. */
  get cycles(): [number, number] {
    return this.byTime ? [this.stores[0].cycle, this.stores[1].cycle] : this.alignment.cyclesAt(this.cell);
  }

  touch(): void {
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.dirty = false;
    const [one, other] = this.runs;
    const grown = this.alignment.update(one!.complete, other!.complete);
    if (this.wanted !== null && (this.alignment.size > this.wanted || this.complete)) {
      const cell = this.wanted;
      this.wanted = null;
      this.goto(cell);
    }
    if (grown && this.live) this.keepAbreast();
    if (this.byTime) this.cell = this.alignment.cellOf(this.stores[0].cycle, this.stores[1].cycle);
    else this.us = Math.max(this.stores[0].state.tUs, this.stores[1].state.tUs);
    const moving = this.runs.some((run) => run.moving);
    this.tellOutcomes();
    this.turn += 1;
    if (!moving || this.turn % PAINTED === 0) this.paint();
    for (const view of this.views) if (!moving || view.pace === "every") view.requestUpdate();
  }

  /** How each run goes, where the page's head says how it went when the page was made. */
  private tellOutcomes(): void {
    this.querySelectorAll("[data-outcome]").forEach((place, side) => {
      const { info, store, complete } = this.runs[side]!;
      const words = outcomeWords(info, store, complete);
      if (words && place.textContent !== words) place.textContent = words;
    });
  }

  /** Goes along with what comes in: the run that is ahead waits for the other one. */
  private keepAbreast(): void {
    const { alignment, runs } = this;
    const ahead = alignment.counts[Kind.NOT_YET]!;
    this.cell = alignment.size - ahead;
    const cycles = alignment.cyclesAt(this.cell);
    runs.forEach(({ store, complete }, side) => {
      if (ahead && complete) store.seekCycle(cycles[side]!);
      else if (!store.live) store.follow();
    });
    for (const run of runs) run.touch();
  }

  /** What differs on each node, on both maps. */
  private paint(): void {
    const marks = new Map<string, Mark>();
    for (const [name, { came, left }] of this.places.now()) {
      marks.set(name, { glyph: "changed", reason: [came ? `+${came}` : "", left ? `−${left}` : ""].filter(Boolean).join(", ") });
    }
    const marked = [...marks].map(([name, mark]) => `${name}${mark.reason}`).join();
    if (marked === this.marked && this.runs[0]!.marks) return;
    this.marked = marked;
    for (const run of this.runs) {
      run.marks = marks;
      run.touch();
    }
  }

  /** Moves both playheads to a cell of the cycles side by side; 0 is before the first. */
  goto(cell: number, step = false): void {
    this.live = false;
    this.byTime = false;
    this.cell = Math.max(0, Math.min(cell, this.alignment.size));
    const cycles = this.alignment.cyclesAt(this.cell);
    this.runs.forEach((run, side) => {
      if (this.cell === this.alignment.size) run.store.seek(run.store.lastSeq);
      else run.store.seekCycle(cycles[side]!);
      run.swept();
    });
    this.note(step);
    this.touch();
  }

  /** Moves both to a virtual time. */
  gotoTime(us: number): void {
    this.live = false;
    this.byTime = true;
    this.us = us;
    for (const run of this.runs) {
      run.store.seekTime(us);
      run.swept();
    }
    this.note(false);
    this.touch();
  }

  /** Goes along with the newest events. */
  follow(): void {
    this.live = true;
    this.byTime = false;
    this.keepAbreast();
    this.note(false);
    this.touch();
  }

  setAxis(byTime: boolean): void {
    if (byTime) this.gotoTime(this.us);
    else this.goto(this.cell);
  }

  selectPod(pod: string | null): void {
    this.runs[1]!.selectPod(pod);
  }

  /** Selects a pod and goes where it was decided last. */
  showPod(pod: string): void {
    const last = this.stores.map((store) => store.cycles.ofPod(store.words.pods.find(pod)).at(-1) ?? 0);
    const cell = this.alignment.cellOf(last[0]!, last[1]!);
    if (cell) this.goto(cell);
    this.selectPod(pod);
  }

  /** What is looked at in one run is looked at in the other. */
  private look(event: CustomEvent<{ step: boolean }>): void {
    const source = event.target as SpRun;
    for (const run of this.runs) if (run !== source) run.lookAs(source);
    this.note(event.detail.step);
  }

  private note(step: boolean): void {
    clearTimeout(this.noting);
    if (step) this.write(true);
    else this.noting = window.setTimeout(() => this.write(false), NOTE_DELAY_MS);
  }

  private write(step: boolean): void {
    const { pod, node, settings } = this.runs[1]!;
    writeAddress({ cycle: this.live ? null : this.cell, at: null, stop: null, pod, node, view: settings }, step);
  }

  private readonly goBack = () => {
    const address = readAddress(location.search);
    for (const run of this.runs) run.lookAt(address);
    this.wanted = address.cycle;
    if (address.cycle === null && !this.live) this.follow();
    this.touch();
  };

  private async ask(): Promise<void> {
    const { signal } = this.asked;
    const wasOver = this.runs.every((run) => run.ended);
    try {
      this.answer = await this.compared();
      this.problem = "";
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof ApiError ? error.message : "The comparison could not be read.";
    }
    if (signal.aborted) return;
    this.touch();
    if (!wasOver) this.later = window.setTimeout(() => void this.ask(), ASK_AGAIN_MS);
    else await this.askForNumbers();
  }

  private compared(): Promise<Comparison> {
    const [before, after] = this.runs.map((run) => run.runId ?? "");
    return compareRuns(before!, after!, this.asked.signal);
  }

  /** The points of the cycle that parts the runs: where they are not kept, both cycles are computed again for them. */
  private async askForNumbers(): Promise<void> {
    const parting = this.answer?.first_diverging_cycle;
    if (!parting?.node_before || !parting.node_after || parting.scores.length) return;
    const cycles = [parting.cycle_before, parting.cycle_after];
    const isThere = await Promise.all(this.runs.map((run, side) => run.details?.whenKnown(cycles[side]!) ?? false));
    if (this.asked.signal.aborted || !isThere.every(Boolean)) return;
    try {
      this.answer = await this.compared();
      this.touch();
    } catch {
      // What is there without the numbers has to do.
    }
  }
}

customElements.define("sp-compare", SpCompare);
