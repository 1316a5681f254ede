/** Nodes and pods as tables: sortable, searchable, the map's equal for those who read rather than look. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TemplateResult } from "lit";
import { counted } from "../base/format";
import { windowOf } from "../base/windowed";
import { RunView, emptyState, skeleton } from "./light";
import { MapScene } from "./map_scene";
import { Scroller } from "./scroller";
import { choose } from "./selecting";
import { styled } from "./styled";
import { nodeColumns, podColumns } from "./table_columns";
import type { Column } from "./table_columns";

const ROW = 28;
const natural = new Intl.Collator("en", { numeric: true });

class SpTables extends RunView {
  static override properties = { kind: {} };
  declare kind: "nodes" | "pods";
  private readonly scroller = new Scroller(() => this.requestUpdate());
  private sortKey = "";
  private downward = false;
  private search = "";
  private anchor: number | null = null;
  private shown: readonly number[] = [];

  constructor() {
    super();
    this.kind = "nodes";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.scroller.stop();
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    this.scroller.watch(this.querySelector<HTMLElement>(".scroll"));
  }

  /** Nodes by name, pods by what they wait for: the pending ones stand first. */
  private get sorted(): string {
    return this.sortKey || (this.kind === "nodes" ? "name" : "state");
  }

  protected override render(): unknown {
    const { run } = this;
    if (!run.model) return this.querySelector("[data-fallback]") ? nothing : skeleton(8, "Reading the table");
    const settings = { levels: [], resource: "cpu", colour: "namespace" as const, search: "" };
    const scene = new MapScene(run, settings);
    const columns = this.kind === "nodes" ? nodeColumns(scene) : podColumns(scene);
    const ids = this.rows(scene, columns);
    this.shown = ids;
    return html`<div class="controls">
        <input type="search" aria-label="Find in the ${this.kind}" placeholder="Find a ${this.kind === "nodes" ? "node, zone or taint" : "pod, node or owner"}" .value=${this.search} @input=${this.find} />
        <span class="quiet" role="status">${counted(ids.length, this.kind === "nodes" ? "node" : "pod")}</span>
        ${run.desk && this.search && ids.length ? html`<button type="button" class="button small" @click=${() => this.selectAll(ids)}>Select what is found</button>` : nothing}
      </div>
      ${ids.length === 0 ? this.none() : this.table(columns, ids)}`;
  }

  private selectAll(ids: readonly number[]): void {
    const words = this.kind === "nodes" ? this.run.store.words.nodes : this.run.store.words.pods;
    this.run.desk!.selection.add(this.kind, ids.map((id) => words.name(id)));
    this.run.touch();
  }

  private none(): TemplateResult {
    if (this.search) return emptyState(`Nothing matches “${this.search}”`, "Try a part of a name.");
    return this.kind === "nodes" ? emptyState("No nodes", "Add Node objects to the dump.") : emptyState("No pods", "Add Pod objects to the dump.");
  }

  /** The ids to show, found and sorted. */
  private rows(scene: MapScene, columns: readonly Column[]): number[] {
    const { run } = this;
    const all = this.kind === "nodes" ? run.model!.nodes.length : run.store.words.pods.size;
    const text = this.search.trim().toLowerCase();
    let ids = Array.from({ length: all }, (_, id) => id);
    if (this.kind === "nodes") ids = ids.filter((id) => scene.model.nodes[id] && !run.store.state.goneNodes.has(id));
    else if (run.desk) ids = ids.filter((id) => scene.model.pods[id]);
    if (text) ids = ids.filter((id) => columns.some((column) => !column.numeric && String(column.value(id)).toLowerCase().includes(text)));
    const sort = columns.find((column) => column.key === this.sorted);
    if (!sort) return ids;
    const values = new Map(ids.map((id) => [id, sort.value(id)]));
    const names = this.kind === "nodes" ? run.store.words.nodes : run.store.words.pods;
    const sign = this.downward ? -1 : 1;
    return ids.sort((a, b) => sign * compare(values.get(a)!, values.get(b)!) || compare(names.name(a), names.name(b)));
  }

  private table(columns: readonly Column[], ids: readonly number[]): TemplateResult {
    const shown = windowOf(ids.length, ROW, this.scroller.top, this.scroller.height);
    return html`<div class="scroll" @scroll=${this.scroller.scrolled}>
      <table class="objects" aria-rowcount=${ids.length}>
        <thead>
          <tr>${columns.map((column) => this.heading(column))}</tr>
        </thead>
        <tbody>
          <tr class="pad" aria-hidden="true" ><td colspan=${columns.length} ${styled({ height: `${shown.before}px` })}></td></tr>
          ${repeat(
            ids.slice(shown.first, shown.last),
            (id) => id,
            (id) => this.row(columns, id),
          )}
          <tr class="pad" aria-hidden="true" ><td colspan=${columns.length} ${styled({ height: `${shown.after}px` })}></td></tr>
        </tbody>
      </table>
    </div>`;
  }

  private heading(column: Column): TemplateResult {
    const sorted = column.key === this.sorted;
    return html`<th scope="col" class=${column.numeric ? "num" : ""} aria-sort=${sorted ? (this.downward ? "descending" : "ascending") : "none"}>
      <button type="button" @click=${() => this.sort(column)}>${column.title}<span class="sort" aria-hidden="true">${sorted ? (this.downward ? "↓" : "↑") : ""}</span></button>
    </th>`;
  }

  private row(columns: readonly Column[], id: number): TemplateResult {
    const { run } = this;
    const words = this.kind === "nodes" ? run.store.words.nodes : run.store.words.pods;
    const name = words.name(id);
    const chosen = (this.kind === "nodes" ? run.node : run.pod) === name || !!run.desk?.selection[this.kind].has(name);
    const select = (event: MouseEvent | KeyboardEvent) => {
      if (event.shiftKey && run.desk && this.anchor !== null) this.selectRange(id);
      else choose(run, this.kind, name, event);
      this.anchor = id;
    };
    const press = (event: KeyboardEvent) => {
      if (event.key === "Enter") select(event);
      else if (event.key === " " && run.desk) {
        event.preventDefault();
        choose(run, this.kind, name, { ctrlKey: true });
      }
    };
    return html`<tr class=${chosen ? "selected" : ""} tabindex="0" aria-selected=${chosen} @click=${select} @keydown=${press}>
      ${columns.map((column) => html`<td class=${column.numeric ? "num" : ""}>${column.cell(id)}</td>`)}
    </tr>`;
  }

  /** Adds the rows from the one chosen last to this one to the selection. */
  private selectRange(id: number): void {
    const { run, shown } = this;
    const [from, to] = [shown.indexOf(this.anchor!), shown.indexOf(id)].sort((a, b) => a - b) as [number, number];
    const words = this.kind === "nodes" ? run.store.words.nodes : run.store.words.pods;
    run.desk!.selection.add(this.kind, shown.slice(Math.max(0, from), to + 1).map((one) => words.name(one)));
    run.touch();
  }

  private sort(column: Column): void {
    this.downward = this.sorted === column.key ? !this.downward : !!column.numeric;
    this.sortKey = column.key;
    this.requestUpdate();
  }

  private readonly find = (event: Event) => {
    this.search = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  };
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return natural.compare(String(a), String(b));
}

customElements.define("sp-tables", SpTables);
