/** The cluster as a map: nodes by the labels that group them, pods as slices of them, a pod's verdict painted on every node. */

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import type { TemplateResult } from "lit";
import { registerPlace } from "../base/flip";
import { count, counted, percent, podName, quantity } from "../base/format";
import { GLYPHS } from "../base/glyphs";
import type { GlyphName } from "../base/glyphs";
import { onTheme } from "../base/theme";
import { shortLabel } from "../trace/hierarchy";
import type { NodeGroup } from "../trace/hierarchy";
import type { NodeLoad } from "../trace/load";
import { differenceLegend, numNodes } from "./difference_view";
import { RunView, emptyState, glyph, nameText, skeleton } from "./light";
import { MapCanvas } from "./map_canvas";
import { nodeList } from "./map_nodes";
import { paletteOf } from "./map_palette";
import type { Palette } from "./map_palette";
import { COLOURINGS, MapScene } from "./map_scene";
import { isLarge, settingsOf } from "./map_settings";
import { addsToSelection, choose } from "./selecting";
import type { Colouring, MapSettings } from "./map_scene";

/** So deep can labels be nested. */
const MOST_LEVELS = 3;
const COLOUR_WORDS: Record<Colouring, string> = { load: "load", namespace: "namespace", owner: "owner", priority: "priority", verdict: "verdict", stranded: "unusable room" };

class SpMap extends RunView {
  override readonly pace = "second";
  private scene: MapScene | null = null;
  private buffer: NodeLoad | undefined;
  private canvas: MapCanvas | null = null;
  private canvasBox: Element | null = null;
  private palette: Palette | null = null;
  private forget: (() => void)[] = [];
  private readonly resized = new ResizeObserver((entries) => {
    const { width, height } = entries[entries.length - 1]!.contentRect;
    if (this.canvas?.resize(Math.floor(width), Math.floor(height))) this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = [
      onTheme(() => {
        this.palette = null;
        this.requestUpdate();
      }),
      registerPlace((key) => this.placeOf(key)),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    this.canvas = null;
    this.canvasBox = null;
    for (const forget of this.forget) forget();
  }

  protected override render(): unknown {
    const { run } = this;
    if (run.problem) return emptyState("The cluster could not be read", html`${run.problem} ${this.again()}`);
    if (!run.model) return skeleton(6, "Reading the cluster");
    if (run.model.numNodes === 0) {
      return emptyState("No nodes", html`Every pod stays pending: add Node objects to the dump. This line takes all that matters:<sp-line></sp-line>`);
    }
    const settings = settingsOf(run);
    this.scene = new MapScene(run, settings, this.buffer);
    this.buffer = this.scene.load;
    const { levels, resource, colour, search } = settings;
    return html`${guard([run.model.version, levels.join(), resource, colour, search], () => this.controls(settings))} ${this.legend()}
      ${isLarge(this.run)
        ? this.tiles()
        : html`<div class="map-scroll"><div class="groups">${this.scene.groups.map((group) => this.group(group, settings.levels.length, 3))}</div></div>`}`;
  }

  private again(): TemplateResult {
    return html`<button type="button" class="button small" @click=${() => this.run.retry()}>Try again</button>`;
  }

  private controls(settings: MapSettings): TemplateResult {
    const model = this.run.model!;
    const { levels } = settings;
    const labels = model.groupLabels();
    const by = (next: string[]) => this.set("by", next.length ? next.join(",") : "none");
    const colours = COLOURINGS.filter((name) => name !== "load" || isLarge(this.run));
    return html`<div class="controls">
      ${labels.length ? [...levels, ""].slice(0, MOST_LEVELS).map((label, depth) => levelChoice(labels, levels, label, depth, by)) : nothing}
      ${choice("size", settings.resource, model.resources.map((name) => [name, name]), (value) => this.set("size", value))}
      ${choice("colour", settings.colour, colours.map((name) => [name, COLOUR_WORDS[name]]), (value) => this.set("colour", value))}
      <input
        type="search"
        placeholder="Find a node or label"
        aria-label="Find a node by name or label"
        data-search
        .value=${settings.search}
        @input=${(event: Event) => this.set("find", (event.target as HTMLInputElement).value || null)}
      />
      ${this.pickFound(settings.search)}
    </div>`;
  }

  /** Adds nodes to the selection. */
  private pick(nodes: readonly number[]): void {
    const { scene, run } = this;
    if (!scene || !run.desk) return;
    run.desk.selection.add("nodes", nodes.filter((node) => scene.matches[node]).map((node) => scene.name(node)));
    run.touch();
  }

  private pickFound(search: string): unknown {
    if (!this.run.desk || !search) return nothing;
    return html`<button type="button" class="button small" @click=${() => this.pick(this.scene!.groups.flatMap((group) => [...group.nodes]))}>Select what is found</button>`;
  }

  private set(name: "by" | "size" | "colour" | "find", value: string | null): void {
    this.run.setView({ [name]: value });
  }

  /** Whose verdict is painted, and how many nodes have which; how much of what is free can be used. */
  private legend(): unknown {
    const { scene } = this;
    const detail = scene?.detail;
    if (scene && this.run.desk) return html`<p class="legend">${differenceLegend(this.run.desk, numNodes(scene.model))}${this.roomWords()}</p>`;
    if (!detail || !scene) return html`<p class="legend quiet"><span>${this.emptyLegend()}</span>${this.roomWords()}</p>`;
    const counts = new Map<GlyphName, number>();
    for (const outcome of this.glyphsOf(scene)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const order: GlyphName[] = ["chosen", "fits", "refused", "final", "skipped"];
    return html`<p class="legend">
      <span class="legend-pod">${nameText(detail.pod, podName(detail.pod))}</span>
      ${order
        .filter((name) => counts.has(name))
        .map((name) => html`<span class="legend-item">${glyph(name)} ${count(counts.get(name)!)} ${name === "fits" ? (detail.filtering ? "pass so far" : "fit") : GLYPHS[name].label}</span>`)}
      ${this.roomWords()}
    </p>`;
  }

  private glyphsOf(scene: MapScene): GlyphName[] {
    const found: GlyphName[] = [];
    for (let node = 0; node < scene.model.numNodes; node += 1) {
      const name = scene.glyphOf(node);
      if (name) found.push(name);
    }
    return found;
  }

  private emptyLegend(): string {
    const { run } = this;
    if (run.beside && run.pod === null) return "On a node + are the pods that only B has there, − those that only A has there";
    if (!run.runId) return `${counted(run.model!.numNodes, "node")}, the area is what a node has to give`;
    return run.pod ? "This pod has had no cycle yet" : "Select a pod to see every node's verdict on it";
  }

  /** Fragmentation in a sentence: what is free, and what of it lies in parts too small for such a pod. No count of pods: only the filters know it. */
  private roomWords(): unknown {
    const { scene } = this;
    if (!scene || this.run.moving || this.run.rushing) return nothing;
    const room = scene.roomLeft;
    if (!room) return nothing;
    const { resource } = scene.settings;
    const { free, stranded, largest } = room.total;
    const like = scene.detail && podName(scene.detail.pod) === scene.measureName ? "it" : scene.measureName;
    return html`<span
      class="legend-room"
      title="Free on all ready nodes together, and how much of it would be left over once each node was filled with pods that ask for as much as ${scene.measureName}. Taints, affinity and the other filters are not looked at here: capacity in a what-if counts the pods that fit. The most that is free on one node: ${quantity(resource, largest)}"
      >${quantity(resource, free)} ${resource} free${free > 0 ? html`, ${percent(stranded / free)} of it in parts too small for a pod like ${like}` : nothing}</span
    >`;
  }

  private group(group: NodeGroup, levels: number, heading: 3 | 4): TemplateResult {
    const scene = this.scene!;
    const all = group.nodes.reduce((sum, node) => sum + scene.allocatable[node]!, 0);
    const used = group.nodes.reduce((sum, node) => sum + scene.load.used[node]!, 0);
    const title = levels === 0 ? "All nodes" : group.name || "no label";
    const words = html`${title}
      <span class="quiet">${counted(group.nodes.length, "node")}${all ? `, ${percent(used / all)} ${scene.settings.resource}` : ""}</span>`;
    const pick = this.run.desk ? html`<button type="button" class="link quiet pick" aria-label="Select the nodes of ${group.name || "no label"}" @click=${() => this.pick(group.nodes)}>select</button>` : nothing;
    return html`<section class="group" aria-label="${group.name || "nodes without this label"}${scene.run.beside ? ` ${scene.run.beside}` : ""}">
      ${heading === 3 ? html`<h3>${words}${pick}</h3>` : html`<h4>${words}${pick}</h4>`}
      ${group.parts.length ? html`<div class="group-parts">${group.parts.map((part) => this.group(part, levels, 4))}</div>` : nodeList(scene, group.nodes)}
    </section>`;
  }

  private tiles(): TemplateResult {
    const cursor = this.canvas?.cursor ?? -1;
    const zoom = this.canvas?.zoom ?? 1;
    const tip = cursor >= 0 ? this.describe(cursor) : "";
    return html`<div class="map-tiles">
      <div class="map-canvas">
        <canvas class="tiles" aria-hidden="true"></canvas>
        <div
          class="rings ${zoom > 1 ? "zoomed" : ""}"
          tabindex="0"
          role="img"
          aria-label="Map of ${count(this.run.model!.numNodes)} nodes; arrow keys walk over them, Enter selects, plus and minus zoom. The table of nodes says the same."
        ></div>
      </div>
      <div class="zoom" role="group" aria-label="Zoom">
        <button type="button" class="icon text" aria-label="Zoom in" title="Zoom in (+ on the map, or the wheel)" @click=${() => this.canvas?.zoomIn()}>+</button>
        <button type="button" class="icon text" aria-label="Zoom out" title="Zoom out (−)" ?disabled=${zoom <= 1} @click=${() => this.canvas?.zoomOut()}>−</button>
        <button type="button" class="icon text" aria-label="Show all" title="Show all (0)" ?disabled=${zoom <= 1} @click=${() => this.canvas?.fit()}>⤢</button>
      </div>
      <p class="tip" ?hidden=${!tip} aria-live="polite">${tip}</p>
    </div>`;
  }

  private describe(node: number): string {
    const scene = this.scene!;
    const verdict = scene.verdict(node);
    const word = verdict ? ` · ${verdict.reason || GLYPHS[verdict.glyph].label}` : "";
    return `${scene.name(node)} · ${scene.usage(node)} · ${counted(scene.load.pods[node] ?? 0, "pod")}${word}`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const box = this.isReady ? this.querySelector(".map-canvas") : null;
    if (box !== this.canvasBox) this.adopt(box);
    if (!this.canvas || !this.scene) return;
    this.palette ??= paletteOf(this);
    this.canvas.draw(this.scene, this.palette);
  }

  private get isReady(): boolean {
    return this.run.model !== null;
  }

  /** Takes a canvas that has just been put on the page. */
  private adopt(box: Element | null): void {
    this.resized.disconnect();
    this.canvasBox = box;
    this.canvas = null;
    if (!box) return;
    this.canvas = new MapCanvas(box.querySelector("canvas")!, box.querySelector<HTMLElement>(".rings")!, {
      hovered: () => this.requestUpdate(),
      picked: (node, event) => {
        if (addsToSelection(this.run, event)) choose(this.run, "nodes", this.scene!.name(node), event);
        else this.run.selectNode(this.scene!.name(node));
      },
      framed: this.run.desk ? (nodes) => this.pick(nodes) : null,
      zoomed: () => this.requestUpdate(),
    });
    this.resized.observe(box);
  }

  /** Where a pod is on the canvas: on its node. */
  private placeOf(key: string): DOMRect | null {
    const { store } = this.run;
    const pod = store.words.pods.find(key);
    if (pod < 0 || !this.canvas || !store.state.pods.occupies(pod)) return null;
    return this.canvas.placeOf(store.state.pods.nodeOf(pod));
  }
}

function levelChoice(labels: readonly string[], levels: readonly string[], label: string, depth: number, by: (levels: string[]) => void): TemplateResult {
  const free = labels.filter((one) => one === label || !levels.includes(one));
  const options: (readonly [string, string])[] = [["", depth === 0 ? "nothing" : "–"], ...free.map((one) => [one, shortLabel(one)] as const)];
  const set = (value: string) => by(value ? [...levels.slice(0, depth), value, ...levels.slice(depth + 1)] : levels.slice(0, depth));
  return choice(depth === 0 ? "by" : "▸", label, options, set, depth === 0 ? "Group by" : "Then by");
}

function choice(label: string, value: string, options: (readonly [string, string])[], set: (value: string) => void, spoken = label): TemplateResult {
  return html`<label class="choice">
    <span aria-hidden=${spoken === label ? "false" : "true"}>${label}</span>
    <select .value=${value} aria-label=${spoken} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}
    </select>
  </label>`;
}

customElements.define("sp-map", SpMap);
