/** What was bound when: a row a node, a column a cycle (or a moment), a cell a pod. The whole run at one glance. */

import { html } from "lit";
import { count, podName, time } from "../base/format";
import { onTheme } from "../base/theme";
import { CycleResult } from "../trace/cycle_index";
import { ZONE_LABEL } from "../trace/hierarchy";
import { RunView, emptyState, skeleton } from "./light";
import { paletteOf } from "./map_palette";
import type { Palette } from "./map_palette";
import { MapScene } from "./map_scene";
import type { Colouring } from "./map_scene";
import { StreamPicture } from "./stream_picture";

const STREAM_COLOURS = ["namespace", "owner", "priority"] as const;

class SpStream extends RunView {
  override readonly pace = "second";
  private picture: StreamPicture | null = null;
  private palette: Palette | null = null;
  private under = 0;
  private forgetTheme: () => void = () => undefined;
  private readonly resized = new ResizeObserver((entries) => {
    const { width, height } = entries[entries.length - 1]!.contentRect;
    this.picture?.resize(Math.floor(width), Math.floor(height));
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.forgetTheme = onTheme(() => {
      this.palette = null;
      this.picture?.forget();
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    this.picture = null;
    this.forgetTheme();
  }

  protected override render(): unknown {
    const { run } = this;
    if (!run.model) return skeleton(6, "Reading the stream");
    if (run.store.cycles.size === 0) return run.ended ? emptyState("Nothing was bound", "The run had no cycle.") : skeleton(6, "Waiting for the first cycle");
    const row = run.store.cycles.row(this.under);
    return html`<div class="controls">
        <label class="choice">
          <span>colour</span>
          <select aria-label="Colour" @change=${(event: Event) => run.setView({ colour: (event.target as HTMLSelectElement).value })}>
            ${STREAM_COLOURS.map((name) => html`<option value=${name} ?selected=${name === this.colour}>${name}</option>`)}
          </select>
        </label>
        <span class="quiet stream-words" aria-live="polite">${row ? this.words(row.cycle) : "A row a node, a column a cycle, a cell a bound pod; marks on top are refusals. Click to go there."}</span>
      </div>
      <div class="stream">
        <canvas aria-hidden="true"></canvas>
        <canvas
          tabindex="0"
          role="img"
          aria-label="Stream of ${count(run.store.cycles.size)} cycles over ${count(run.model.numNodes)} nodes. The list of cycles says the same."
          @pointermove=${(event: PointerEvent) => this.point(event)}
          @pointerleave=${() => this.over(0)}
          @click=${() => this.under && run.openCycle(this.under)}
        ></canvas>
      </div>`;
  }

  private get colour(): Colouring {
    const asked = this.run.view("colour") as (typeof STREAM_COLOURS)[number];
    return STREAM_COLOURS.includes(asked) ? asked : "namespace";
  }

  private words(cycle: number): string {
    const { store } = this.run;
    const row = store.cycles.row(cycle)!;
    const pod = podName(store.words.pods.name(row.pod));
    const where = row.result === CycleResult.SCHEDULED ? `→ ${store.words.nodes.name(row.node)}` : row.numVictims ? `evicts ${row.numVictims}` : "refused";
    return `cycle ${count(cycle)} · ${pod} ${where} · t ${time(row.tUs)}`;
  }

  private point(event: PointerEvent): void {
    this.over(this.picture?.cycleAt(event.offsetX, event.offsetY) ?? 0);
  }

  private over(cycle: number): void {
    if (cycle === this.under) return;
    this.under = cycle;
    this.requestUpdate();
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const box = this.querySelector<HTMLElement>(".stream");
    if (!box) return;
    if (!this.picture) {
      const [base, above] = box.querySelectorAll("canvas");
      this.picture = new StreamPicture(this.run, base!, above!);
      this.resized.observe(box);
    }
    this.palette ??= paletteOf(this);
    const levels = this.run.model!.groupLabels().includes(ZONE_LABEL) ? [ZONE_LABEL] : [];
    const scene = new MapScene(this.run, { levels, resource: "cpu", colour: this.colour, search: "" });
    this.picture.draw(scene, this.palette, this.run.view("axis") === "time");
  }
}

customElements.define("sp-stream", SpStream);
