/** What the map draws at this moment, shared by its ways of drawing; what costs is computed when it is asked for. */

import type { CycleDetail } from "../api/types";
import { list, percent, podName, quantity } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { hueOf } from "../base/hue";
import { isPending } from "../trace/cluster_model";
import type { ClusterModel } from "../trace/cluster_model";
import { roomFor } from "../trace/fragmentation";
import type { Room } from "../trace/fragmentation";
import { without } from "../trace/hierarchy";
import type { NodeGroup } from "../trace/hierarchy";
import { emptyLoad, takeLoad } from "../trace/load";
import type { NodeLoad } from "../trace/load";
import type { Occupancy } from "../trace/occupancy";
import type { Came } from "../trace/difference";
import { PodState } from "../trace/pod_columns";
import { glyphOfRow } from "../trace/verdicts";
import { pointedAt } from "./pointing";
import type { SpRun } from "./sp-run";

export const COLOURINGS = ["load", "namespace", "owner", "priority", "verdict", "stranded"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface MapSettings {
  /** Labels, outermost first. */
  levels: string[];
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
  paint: Paint;
  state: number;
}

/** A pod's colour: a hue of the one family, or a grey for what is not known. */
export interface Paint {
  hue: number;
  chroma: number;
}

const NO_PAINT: Paint = { hue: 255, chroma: 0.012 };

interface Painted {
  glyphs: (GlyphName | undefined)[];
  rows: Int32Array;
}

const painted = new WeakMap<CycleDetail, Painted>();
const found = new WeakMap<ClusterModel, { search: string; version: number; matches: Uint8Array }>();

export class MapScene {
  readonly model: ClusterModel;
  readonly groups: readonly NodeGroup[];
  readonly load: NodeLoad;
  readonly allocatable: Float64Array;
  readonly detail: CycleDetail | null;
  /** 1 where a node is what the search looks for; all are without a search. */
  readonly matches: Uint8Array;
  private readonly seen: Painted | null;
  private kept: Occupancy | null = null;
  private room: Room | null | undefined;

  constructor(
    readonly run: SpRun,
    readonly settings: MapSettings,
    buffer?: NodeLoad,
  ) {
    const model = run.model!;
    const { state } = run.store;
    this.model = model;
    const all = model.groups(...settings.levels);
    this.groups = state.goneNodes.size ? without(all, (node) => state.goneNodes.has(node)) : all;
    this.allocatable = model.allocatableColumn(settings.resource);
    this.load = buffer?.used.length === model.numNodes ? buffer : emptyLoad(model.numNodes);
    takeLoad(this.load, state, model.requestColumn(settings.resource));
    const pointed = pointedAt(run);
    this.matches = pointed ? matchesAmong(model, pointed) : matchesOf(model, settings.search);
    this.detail = run.painted;
    this.seen = this.detail ? paintedOf(this.detail, run) : null;
  }

  get largest(): number {
    return this.allocatable.reduce((most, one) => Math.max(most, one), 0);
  }

  get occupancy(): Occupancy {
    return (this.kept ??= this.model.occupancy(this.run.store.state));
  }

  /** Whether any node has a verdict. */
  get judged(): boolean {
    return this.seen !== null;
  }

  private get marks(): ReadonlyMap<string, Verdict> | undefined {
    return this.run.marks ?? this.run.desk?.difference.nodes;
  }

  glyphOf(node: number): GlyphName | undefined {
    return this.seen ? this.seen.glyphs[node] : this.marks?.get(this.name(node))?.glyph;
  }

  verdict(node: number): Verdict | undefined {
    const glyph = this.glyphOf(node);
    if (glyph && !this.detail) return this.marks?.get(this.name(node));
    if (!glyph || !this.detail) return undefined;
    const status = this.detail.statuses[this.detail.outcome[this.seen!.rows[node]!] ?? -2];
    return { glyph, reason: status ? list(status.reasons) : "" };
  }

  /** The name as the map shows it: without the domain, where that leaves every node with a name of its own. */
  shortName(node: number): string {
    const name = this.name(node);
    return this.model.domainsSayNothing ? name.split(".", 1)[0]! : name;
  }

  /** Whether a node is one of several that are selected. */
  isPicked(node: number): boolean {
    const picked = this.run.desk?.selection.nodes;
    return picked !== undefined && picked.size > 0 && picked.has(this.name(node));
  }

  /** How a pod came to be where a what-if has it; nothing where it was there before. */
  cameBy(key: string): Came | undefined {
    return this.run.desk?.difference.came.get(key);
  }

  name(node: number): string {
    return this.run.store.words.nodes.name(node);
  }

  /** Share of the chosen resource in use; 0 where the node has none. */
  share(node: number): number {
    const all = this.allocatable[node] ?? 0;
    return all > 0 ? (this.load.used[node] ?? 0) / all : 0;
  }

  slices(node: number): Slice[] {
    const { pods } = this.run.store.state;
    const requests = this.model.requestColumn(this.settings.resource);
    const all = this.allocatable[node] || 1;
    const lost = this.model.isLost(node);
    return Array.from(this.occupancy.on(node), (pod) => ({
      pod,
      share: (requests[pod] ?? 0) / all,
      paint: lost ? NO_PAINT : this.paint(pod),
      state: pods.victim[pod] ? -1 : pods.state[pod]!,
    })).filter((slice) => slice.share > 0 || slice.state === PodState.ASSUMED);
  }

  paint(pod: number): Paint {
    const item = this.model.pods[pod];
    const { colour } = this.settings;
    if (colour === "priority") return priorityPaint(this.run.store.state.pods.priority[pod]!);
    if (!item) return colour === "owner" ? NO_PAINT : { hue: hueOf(this.run.store.words.pods.name(pod).split("/", 1)[0]!), chroma: 1 };
    return { hue: hueOf(colour === "owner" ? item.owner || item.name : item.namespace), chroma: 1 };
  }

  /** The pod whose fitting the free room is measured by: the selected one, else the one at the playhead, else a pending one. */
  get measure(): number {
    const { store, pod } = this.run;
    const at = pod !== null ? store.words.pods.find(pod) : (store.cycles.row(this.run.subject)?.pod ?? -1);
    if (at >= 0) return at;
    return this.model.pods.findIndex((item) => item && isPending(item));
  }

  /** Free room as that pod could use it; null where there is no such pod or it asks for nothing. */
  get roomLeft(): Room | null {
    if (this.room === undefined) this.room = this.measureRoom();
    return this.room;
  }

  private measureRoom(): Room | null {
    const pod = this.measure;
    const { model, settings } = this;
    const item = model.pods[pod];
    if (!item) return null;
    const { state } = this.run.store;
    const columns = (name: string) => ({
      allocatable: model.allocatableColumn(name),
      used: name === settings.resource ? this.load.used : model.used(name, state),
      request: name === "pods" ? 1 : (item.requests[name] ?? 0),
    });
    const asked = [...Object.keys(item.requests).filter((name) => (item.requests[name] ?? 0) > 0), "pods"];
    if (asked.length === 1 || !(item.requests[settings.resource] ?? settings.resource === "pods")) return null;
    return roomFor(columns(settings.resource), [...new Set(asked)].map(columns), (node) => state.goneNodes.has(node) || !model.nodes[node] || model.isLost(node));
  }

  get measureName(): string {
    return podName(this.run.store.words.pods.name(this.measure));
  }

  /** "2.4 of 4 cpu (60%)". */
  usage(node: number, resource = this.settings.resource): string {
    const all = this.model.allocatableColumn(resource)[node] ?? 0;
    const used = resource === this.settings.resource ? this.load.used[node]! : this.model.used(resource, this.run.store.state)[node]!;
    if (all === 0) return `no ${resource}`;
    return `${quantity(resource, used)} of ${quantity(resource, all)} ${resource} (${percent(used / all)})`;
  }
}

function paintedOf(detail: CycleDetail, run: SpRun): Painted {
  const known = painted.get(detail);
  if (known) return known;
  const made: Painted = { glyphs: [], rows: new Int32Array(run.store.words.nodes.size) };
  detail.nodes.forEach((name, row) => {
    const node = run.store.words.nodes.find(name);
    if (node < 0) return;
    made.glyphs[node] = glyphOfRow(detail, row);
    made.rows[node] = row;
  });
  painted.set(detail, made);
  return made;
}

function matchesAmong(model: ClusterModel, names: ReadonlySet<string>): Uint8Array {
  return Uint8Array.from({ length: model.numNodes }, (_, node) => (names.has(model.nodes[node]?.name ?? "") ? 1 : 0));
}

function matchesOf(model: ClusterModel, search: string): Uint8Array {
  const text = search.trim().toLowerCase();
  const known = found.get(model);
  if (known?.search === text && known.version === model.version) return known.matches;
  const matches = new Uint8Array(model.numNodes).fill(text ? 0 : 1);
  if (text) {
    model.nodes.forEach((item, node) => {
      if (!item) return;
      const hit = item.name.toLowerCase().includes(text) || Object.entries(item.labels).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(text));
      if (hit) matches[node] = 1;
    });
  }
  found.set(model, { search: text, version: model.version, matches });
  return matches;
}

function priorityPaint(priority: number): Paint {
  if (priority >= 1_000_000) return { hue: 20, chroma: 1.5 };
  if (priority > 0) return { hue: 60, chroma: 1.25 };
  return priority < 0 ? { hue: 255, chroma: 0.3 } : { hue: 230, chroma: 0.8 };
}

/** A pod's colour for CSS. */
export const cssPaint = (paint: Paint): string => `oklch(var(--pod-l) calc(var(--pod-c) * ${paint.chroma}) ${paint.hue})`;
