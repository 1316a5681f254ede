/** A walk over the run page, on the run that is open: offered once, skippable, repeatable from the palette. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { keyMap } from "../base/keys";
import { podName } from "../base/format";
import { CycleResult } from "../trace/cycle_index";
import { RunView } from "./light";
import type { SpRun } from "./sp-run";

interface Stop {
  title: string;
  text: string;
  /** What it is about. */
  at: string;
  /** The panel that shows it where only one fits. */
  panel?: "queue" | "map" | "detail" | "log";
  prepare?: (run: SpRun) => void;
}

const KEY = "toured";
const CARD = 340;
const GAP = 10;

const STOPS: readonly Stop[] = [
  { title: "What came of it", at: "sp-status", text: "The outcome in one line: how many pods were placed, and who still waits and why. Choose a pod here to see its story." },
  { title: "The queue", at: ".panel-queue", panel: "queue", text: "Where every pod waits: ready in activeQ, in backoffQ with the time left, unschedulable with what it waits for, or gated. Above stand the last moves with the event that caused each and what the plugins said of it. Dotted words explain themselves." },
  { title: "The map", at: ".panel-map", panel: "map", text: "Every node, its area what it has to give, its pods as slices. Group it by any labels, colour it by namespace, owner or the room that cannot be used." },
  { title: "One cycle", at: ".panel-detail", panel: "detail", prepare: openTelling, text: "A scheduling cycle from point to point: which plugin refused which nodes with what numbers, how the others were scored, and the event message in the real one's words." },
  { title: "One pod", at: ".panel-detail", panel: "detail", prepare: openWaiting, text: "With a pod selected the map shows every node's verdict on it, and this panel why it is where it is." },
  { title: "Time", at: "sp-scrubber", text: "Drag to any moment: queue, map and counters follow. Arrow keys go from cycle to cycle, with Shift from plugin to plugin, space plays." },
  { title: "Stops", at: ".break", text: "Break on a plugin's refusals, a tie, a preemption or any event; playing stops there, and B goes to the next." },
  { title: "All the rest", at: ".panel-log", panel: "log", text: "Cycles and events to search. Ctrl+K finds any action, pod, node or cycle, ? lists the keys, Export takes pictures and a report away." },
];

/** A cycle that has something to tell: the first that failed, else the first. */
function openTelling(run: SpRun): void {
  const { cycles } = run.store;
  const row = cycles.rows.find((one) => one.result >= CycleResult.UNSCHEDULABLE) ?? cycles.row(1);
  run.selectPod(null);
  run.selectNode(null);
  if (row) run.openCycle(row.cycle);
}

function openWaiting(run: SpRun): void {
  const { cycles, words } = run.store;
  const row = cycles.rows.findLast((one) => one.result >= CycleResult.UNSCHEDULABLE) ?? cycles.row(cycles.size);
  if (row) run.selectPod(words.pods.name(row.pod));
}

class SpTour extends RunView {
  override readonly pace = "rest";
  private stop = -1;
  private offered = false;
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.offered = !remembered();
    this.release = keyMap.add({ keys: "g t", label: "tour of this page", group: "Page", run: () => this.go(0) });
    window.addEventListener("resize", this.settle);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
    window.removeEventListener("resize", this.settle);
  }

  protected override render(): unknown {
    if (this.stop >= 0) return this.card(STOPS[this.stop]!);
    if (!this.offered) return nothing;
    return html`<p class="tour-offer">
      <span>New here? ${STOPS.length} steps through this page.</span>
      <button type="button" class="button small" @click=${() => this.go(0)}>Take the tour</button>
      <button type="button" class="link quiet" @click=${() => this.end()}>Not now</button>
    </p>`;
  }

  private card(stop: Stop): TemplateResult {
    const last = this.stop === STOPS.length - 1;
    const pod = this.run.pod && stop.title === "One pod" ? ` ${podName(this.run.pod)}` : "";
    return html`<div class="tour-card" role="dialog" aria-label="Tour: ${stop.title}" tabindex="-1" @keydown=${this.key}>
      <p class="quiet num">${this.stop + 1} of ${STOPS.length}</p>
      <h2>${stop.title}${pod}</h2>
      <p>${stop.text}</p>
      <p class="tour-steps">
        <button type="button" class="link quiet" @click=${() => this.end()}>${last ? "Close" : "Skip"}</button>
        <button type="button" class="button small" ?disabled=${this.stop === 0} @click=${() => this.go(this.stop - 1)}>Back</button>
        <button type="button" class="button small primary" @click=${() => (last ? this.end() : this.go(this.stop + 1))}>${last ? "Done" : "Next"}</button>
      </p>
    </div>`;
  }

  private go(stop: number): void {
    const next = STOPS[stop];
    if (!next) return;
    this.stop = stop;
    this.offered = false;
    next.prepare?.(this.run);
    if (next.panel) document.querySelector<HTMLElement>(`.panel-tabs [data-panel-tab="${next.panel}"]`)?.click();
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.settle();
      this.querySelector<HTMLElement>(".tour-card")?.focus({ preventScroll: true });
    });
  }

  /** Puts the card beside what it is about, which gets a ring. */
  private readonly settle = () => {
    for (const ringed of document.querySelectorAll(".toured")) ringed.classList.remove("toured");
    const card = this.querySelector<HTMLElement>(".tour-card");
    const about = STOPS[this.stop]?.at;
    const target = about ? document.querySelector<HTMLElement>(about) : null;
    if (!card || !target) return;
    target.classList.add("toured");
    const at = target.getBoundingClientRect();
    const width = Math.min(CARD, window.innerWidth - 2 * GAP);
    const height = card.offsetHeight;
    const right = at.right + GAP + width < window.innerWidth;
    const left = right ? at.right + GAP : Math.max(GAP, Math.min(at.left + GAP, window.innerWidth - width - GAP));
    const below = at.bottom + GAP + height < window.innerHeight;
    const top = right ? at.top + GAP : below ? at.bottom + GAP : at.top > height + 2 * GAP ? at.top - height - GAP : at.bottom - height - GAP;
    card.style.left = `${left}px`;
    card.style.top = `${Math.max(GAP, Math.min(top, window.innerHeight - height - GAP))}px`;
  };

  private readonly key = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.end();
    else if (event.key === "ArrowRight" && this.stop < STOPS.length - 1) this.go(this.stop + 1);
    else if (event.key === "ArrowLeft" && this.stop > 0) this.go(this.stop - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private end(): void {
    this.stop = -1;
    this.offered = false;
    for (const ringed of document.querySelectorAll(".toured")) ringed.classList.remove("toured");
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // Storage may be forbidden: the tour is offered again next time.
    }
    this.requestUpdate();
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

customElements.define("sp-tour", SpTour);
