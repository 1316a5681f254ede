/** What the map draws at this moment, computed once a frame and shared by its three ways of drawing. */

import type { CycleDetail } from "../api/types";
import { list, percent, quantity } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { hueOf, podColor } from "../base/hue";
import type { ClusterModel, NodeGroup } from "../trace/cluster_model";
import { Occupancy } from "../trace/occupancy";
import { PodState } from "../trace/pod_columns";
import { glyphOfRow } from "../trace/verdicts";
import type { SpRun } from "./sp-run";

export type Colouring = "namespace" | "owner" | "priority";

export interface MapSettings {
  group: string;
  resource: string;
  colour: Colouring;
  search: string;
}

export interface Verdict {
  glyph: GlyphName;
  reason: string;
}

export interface Slice {
  pod: number;
  /** Share of the node's allocatable. */
  share: number;
  color: string;
  state: number;
}

export class MapScene {
  readonly model: ClusterModel;
  readonly groups: readonly NodeGroup[];
  readonly used: Float64Array;
  readonly allocatable: Float64Array;
  readonly occupancy: Occupancy;
  readonly verdicts: (Verdict | undefined)[] = [];
  readonly largest: number;
  readonly matches: (node: number) => boolean;

  constructor(
    readonly run: SpRun,
    readonly settings: MapSettings,
  ) {
    const model = run.model!;
    const { state } = run.store;
    this.model = model;
    const all = model.groups(settings.group);
    const present = (node: number) => !state.goneNodes.has(node);
    this.groups = state.goneNodes.size ? all.map((group) => ({ ...group, nodes: group.nodes.filter(present) })) : all;
    this.used = model.used(settings.resource, state);
    this.allocatable = model.allocatableColumn(settings.resource);
    this.largest = this.allocatable.reduce((most, one) => Math.max(most, one), 0);
    this.occupancy = new Occupancy(state, model.numNodes);
    this.matches = matcher(model, settings.search);
    this.paint(run.painted);
  }

  private paint(detail: CycleDetail | null): void {
    if (!detail) return;
    detail.nodes.forEach((name, row) => {
      const node = this.run.store.words.nodes.find(name);
      if (node < 0) return;
      const status = detail.statuses[detail.outcome[row] ?? -2];
      this.verdicts[node] = { glyph: glyphOfRow(detail, row), reason: status ? list(status.reasons) : "" };
    });
  }

  /** The name as the map shows it: without the domain, where that leaves every node with a name of its own. */
  shortName(node: number): string {
    const name = this.name(node);
    return this.model.domainsSayNothing ? name.split(".", 1)[0]! : name;
  }

  name(node: number): string {
    return this.run.store.words.nodes.name(node);
  }

  /** Share of the chosen resource in use; 0 where the node has none. */
  load(node: number): number {
    const all = this.allocatable[node] ?? 0;
    return all > 0 ? (this.used[node] ?? 0) / all : 0;
  }

  slices(node: number): Slice[] {
    const { pods } = this.run.store.state;
    const requests = this.model.requestColumn(this.settings.resource);
    const all = this.allocatable[node] || 1;
    return Array.from(this.occupancy.on(node), (pod) => ({
      pod,
      share: (requests[pod] ?? 0) / all,
      color: this.color(pod),
      state: pods.victim[pod] ? -1 : pods.state[pod]!,
    })).filter((slice) => slice.share > 0 || slice.state === PodState.ASSUMED);
  }

  color(pod: number): string {
    const item = this.model.pods[pod];
    if (!item) return "var(--pod-pending)";
    const { colour } = this.settings;
    if (colour === "priority") return priorityColor(this.run.store.state.pods.priority[pod]!);
    return podColor(hueOf(colour === "owner" ? item.owner || item.name : item.namespace));
  }

  /** "2.4 of 4 cpu (60%)". */
  usage(node: number, resource = this.settings.resource): string {
    const all = this.model.allocatableColumn(resource)[node] ?? 0;
    const used = resource === this.settings.resource ? this.used[node]! : this.model.used(resource, this.run.store.state)[node]!;
    if (all === 0) return `no ${resource}`;
    return `${quantity(resource, used)} of ${quantity(resource, all)} ${resource} (${percent(used / all)})`;
  }
}

function matcher(model: ClusterModel, search: string): (node: number) => boolean {
  const text = search.trim().toLowerCase();
  if (!text) return () => true;
  return (node) => {
    const item = model.nodes[node];
    if (!item) return false;
    if (item.name.toLowerCase().includes(text)) return true;
    return Object.entries(item.labels).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(text));
  };
}

function priorityColor(priority: number): string {
  if (priority >= 1_000_000) return "oklch(var(--pod-l) 0.11 20)";
  if (priority > 0) return "oklch(var(--pod-l) 0.09 60)";
  return priority < 0 ? "oklch(var(--pod-l) 0.02 255)" : "oklch(var(--pod-l) 0.06 230)";
}
