/** The cluster as a map: nodes by zone, pods as slices of them, a pod's verdict painted on every node. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, counted, percent, podName } from "../base/format";
import { GLYPHS } from "../base/glyphs";
import type { GlyphName } from "../base/glyphs";
import { onTheme } from "../base/theme";
import { ZONE_LABEL } from "../trace/cluster_model";
import type { NodeGroup } from "../trace/cluster_model";
import { RunView, emptyState, glyph, nameText, skeleton } from "./light";
import { drawHeat, layoutHeat, paletteOf, tileAt } from "./map_heat";
import type { HeatLayout } from "./map_heat";
import { nodeList } from "./map_nodes";
import { MapScene } from "./map_scene";
import type { Colouring, MapSettings } from "./map_scene";

/** Up to so many nodes are cards, up to so many chips; above, tiles on a canvas. */
const CARDS = 60;
const CHIPS = 500;

class SpMap extends RunView {
  override readonly everyFrame = true;
  private readonly settings: MapSettings = { group: ZONE_LABEL, resource: "cpu", colour: "namespace", search: "" };
  private scene: MapScene | null = null;
  private layout: HeatLayout | null = null;
  private palette: ReturnType<typeof paletteOf> | null = null;
  private cursor = -1;
  private forgetTheme: () => void = () => undefined;
  private readonly resized = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized.observe(this);
    this.forgetTheme = onTheme(() => {
      this.palette = null;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    this.forgetTheme();
  }

  protected override render(): unknown {
    const { run } = this;
    if (run.problem) return emptyState("The cluster could not be read", html`${run.problem} ${this.again()}`);
    if (!run.model) return skeleton(6, "Reading the cluster");
    if (run.model.numNodes === 0) {
      return emptyState("No nodes", html`Every pod stays pending: add Node objects to the dump. This line takes all that matters:<sp-line></sp-line>`);
    }
    const labels = run.model.groupLabels();
    if (labels.length && !labels.includes(this.settings.group)) this.settings.group = labels[0]!;
    this.scene = new MapScene(run, this.settings);
    const many = run.model.numNodes;
    const way = many <= CARDS ? "card" : many <= CHIPS ? "chip" : "heat";
    return html`${this.controls(labels)} ${this.legend()}
      <div class="map-scroll">${way === "heat" ? this.heat() : html`<div class="groups">${this.scene.groups.map((group) => this.group(group, way))}</div>`}</div>`;
  }

  private again(): TemplateResult {
    return html`<button type="button" class="button small" @click=${() => this.run.retry()}>Try again</button>`;
  }

  private controls(labels: readonly string[]): TemplateResult {
    const { settings } = this;
    const resources = this.run.model!.resources;
    return html`<div class="controls">
      ${labels.length
        ? choice("by", settings.group, labels.map((label) => [label, label.split("/").pop()!]), (value) => this.set({ group: value }))
        : nothing}
      ${choice("size", settings.resource, resources.map((name) => [name, name]), (value) => this.set({ resource: value }))}
      ${choice(
        "colour",
        settings.colour,
        (["namespace", "owner", "priority"] as const).map((name) => [name, name]),
        (value) => this.set({ colour: value as Colouring }),
      )}
      <input
        type="search"
        placeholder="Find a node or label"
        aria-label="Find a node by name or label"
        data-search
        .value=${settings.search}
        @input=${(event: Event) => this.set({ search: (event.target as HTMLInputElement).value })}
      />
    </div>`;
  }

  private set(change: Partial<MapSettings>): void {
    Object.assign(this.settings, change);
    this.layout = null;
    this.requestUpdate();
  }

  /** Whose verdict is painted, and how many nodes have which. */
  private legend(): unknown {
    const { run, scene } = this;
    const detail = run.painted;
    if (!detail || !scene) return html`<p class="legend quiet">${this.emptyLegend()}</p>`;
    const counts = new Map<GlyphName, number>();
    for (const verdict of scene.verdicts) if (verdict) counts.set(verdict.glyph, (counts.get(verdict.glyph) ?? 0) + 1);
    const order: GlyphName[] = ["chosen", "fits", "refused", "final", "skipped"];
    return html`<p class="legend">
      <span class="legend-pod">${nameText(detail.pod, podName(detail.pod))}</span>
      ${order
        .filter((name) => counts.has(name))
        .map((name) => html`<span class="legend-item">${glyph(name)} ${count(counts.get(name)!)} ${name === "fits" ? "fit" : GLYPHS[name].label}</span>`)}
    </p>`;
  }

  private emptyLegend(): string {
    if (!this.run.runId) return `${counted(this.run.model!.numNodes, "node")}, the length of a bar is what a node has to give`;
    return this.run.pod ? "This pod has had no cycle yet" : "Select a pod to see every node's verdict on it";
  }

  private group(group: NodeGroup, way: "card" | "chip"): TemplateResult {
    const scene = this.scene!;
    const all = group.nodes.reduce((sum, node) => sum + scene.allocatable[node]!, 0);
    const used = group.nodes.reduce((sum, node) => sum + scene.used[node]!, 0);
    const bare = scene.groups.length === 1 && group.name === "";
    return html`<section class="group" aria-label=${group.name || "nodes without this label"}>
      <h3>
        ${bare ? "All nodes" : group.name || "no label"}
        <span class="quiet">${counted(group.nodes.length, "node")}${all ? `, ${percent(used / all)} ${this.settings.resource}` : ""}</span>
      </h3>
      ${nodeList(scene, group.nodes, way)}
    </section>`;
  }

  private heat(): TemplateResult {
    const cursor = this.cursor >= 0 ? this.describe(this.cursor) : "";
    return html`<canvas
        tabindex="0"
        role="img"
        aria-label="Map of ${count(this.run.model!.numNodes)} nodes; arrow keys walk over them, Enter selects. The table of nodes says the same."
        @keydown=${this.walk}
        @pointermove=${this.point}
        @pointerleave=${() => this.hover(-1)}
        @click=${this.pick}
      ></canvas>
      <p class="tip" ?hidden=${!cursor} aria-live="polite">${cursor}</p>`;
  }

  private describe(node: number): string {
    const scene = this.scene!;
    const verdict = scene.verdicts[node];
    const word = verdict ? ` · ${verdict.reason || GLYPHS[verdict.glyph].label}` : "";
    return `${scene.name(node)} · ${scene.usage(node)} · ${counted(scene.occupancy.on(node).length, "pod")}${word}`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const canvas = this.querySelector("canvas");
    if (!canvas || !this.scene) return;
    const room = this.querySelector<HTMLElement>(".map-scroll")!;
    this.palette ??= paletteOf(this);
    this.layout = layoutHeat(this.scene, room.clientWidth - 2, room.clientHeight - 8);
    canvas.style.height = `${this.layout.height}px`;
    drawHeat(canvas, this.scene, this.layout, this.palette, this.cursor);
  }

  private hover(node: number): void {
    if (node === this.cursor) return;
    this.cursor = node;
    this.requestUpdate();
  }

  private readonly point = (event: PointerEvent) => {
    this.hover((this.layout && tileAt(this.layout, event.offsetX, event.offsetY)?.node) ?? -1);
  };

  private readonly pick = (event: MouseEvent) => {
    const tile = this.layout && tileAt(this.layout, event.offsetX, event.offsetY);
    if (tile) this.run.selectNode(this.scene!.name(tile.node));
  };

  private readonly walk = (event: KeyboardEvent) => {
    const { layout } = this;
    if (!layout) return;
    const columns = Math.max(1, layout.tiles.findIndex((tile) => tile.y > layout.tiles[0]!.y));
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = steps[event.key];
    if (event.key === "Enter" && this.cursor >= 0) this.run.selectNode(this.scene!.name(this.cursor));
    else if (step !== undefined) {
      const at = layout.at.get(this.cursor) ?? -1;
      this.hover(layout.tiles[Math.max(0, Math.min(layout.tiles.length - 1, at + step))]!.node);
    } else return;
    event.preventDefault();
  };
}

function choice(label: string, value: string, options: (readonly [string, string])[], set: (value: string) => void): TemplateResult {
  return html`<label class="choice">
    <span>${label}</span>
    <select .value=${value} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}
    </select>
  </label>`;
}

customElements.define("sp-map", SpMap);
