/** The arguments of plugins as small forms. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Arguments } from "../api/profiles";
import { argumentsOf, setArgument } from "../trace/config_form";
import { glyph } from "./light";
import { broken, hasArguments } from "./profile_board";
import type { Board } from "./profile_board";

/** What a field of an argument is: its path, its words, and how it is asked for. */
type Field =
  | { path: string; words: string; kind: "number"; min: number; max?: number; unit?: string }
  | { path: string; words: string; kind: "text"; hint?: string }
  | { path: string; words: string; kind: "names" }
  | { path: string; words: string; kind: "flag" }
  | { path: string; words: string; kind: "choice"; options: readonly string[]; with?: (args: Arguments, value: string) => Arguments }
  | { path: string; words: string; kind: "rows"; columns: readonly Column[]; fresh: Arguments; when?: (args: Arguments) => boolean; picture?: boolean };

interface Column {
  key: string;
  words: string;
  options?: readonly string[];
  min?: number;
  max?: number;
}

const RESOURCES = [
  { key: "name", words: "resource" },
  { key: "weight", words: "weight", min: 1, max: 100 },
] as const;
const SHAPE = [
  { key: "utilization", words: "% used", min: 0, max: 100 },
  { key: "score", words: "score", min: 0, max: 10 },
] as const;
const CONSTRAINT = [
  { key: "topologyKey", words: "topology key" },
  { key: "maxSkew", words: "max skew", min: 1 },
  { key: "whenUnsatisfiable", words: "otherwise", options: ["ScheduleAnyway", "DoNotSchedule"] },
] as const;
const RATIO = "RequestedToCapacityRatio";

const FIELDS: Record<string, readonly Field[]> = {
  NodeResourcesFit: [
    { path: "scoringStrategy.type", words: "Scoring strategy", kind: "choice", options: ["LeastAllocated", "MostAllocated", RATIO], with: withShape },
    { path: "scoringStrategy.resources", words: "Resources that count", kind: "rows", columns: RESOURCES, fresh: { name: "example.com/gpu", weight: 1 } },
    {
      path: "scoringStrategy.requestedToCapacityRatio.shape",
      words: "Score by utilisation",
      kind: "rows",
      columns: SHAPE,
      fresh: { utilization: 100, score: 10 },
      when: (args) => valueAt(args, "scoringStrategy.type") === RATIO,
      picture: true,
    },
    { path: "ignoredResources", words: "Ignored resources", kind: "names" },
    { path: "ignoredResourceGroups", words: "Ignored groups", kind: "names" },
  ],
  NodeResourcesBalancedAllocation: [{ path: "resources", words: "Shares that are to be even", kind: "rows", columns: RESOURCES, fresh: { name: "example.com/gpu", weight: 1 } }],
  PodTopologySpread: [
    { path: "defaultingType", words: "Pods without constraints", kind: "choice", options: ["System", "List"], with: withConstraints },
    {
      path: "defaultConstraints",
      words: "Their constraints",
      kind: "rows",
      columns: CONSTRAINT,
      fresh: { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
      when: (args) => args["defaultingType"] === "List",
    },
  ],
  InterPodAffinity: [
    { path: "hardPodAffinityWeight", words: "Required affinity of other pods counts", kind: "number", min: 0, max: 100 },
    { path: "ignorePreferredTermsOfExistingPods", words: "Ignore preferred terms of existing pods", kind: "flag" },
  ],
  DefaultPreemption: [
    { path: "minCandidateNodesPercentage", words: "Nodes tried, at least", kind: "number", min: 0, max: 100, unit: "%" },
    { path: "minCandidateNodesAbsolute", words: "and at least", kind: "number", min: 0, unit: "nodes" },
  ],
  VolumeBinding: [
    { path: "bindTimeoutSeconds", words: "Waits for a volume", kind: "number", min: 0, unit: "s" },
    { path: "shape", words: "Score by storage used", kind: "rows", columns: SHAPE, fresh: { utilization: 0, score: 0 }, picture: true },
  ],
  DynamicResources: [{ path: "filterTimeout", words: "Tries a node's devices for", kind: "text", hint: "10s" }],
};

export function argumentsView(board: Board, opened: ReadonlySet<string>, toggle: (plugin: string, open: boolean) => void): TemplateResult {
  const plugins = board.catalogue.plugins.filter(({ name }) => hasArguments(board, name));
  return html`<section class="arguments" aria-label="Arguments">
    <h2 class="board-title">Arguments</h2>
    <div class="argument-list">${plugins.map(({ name }) => pluginView(board, name, opened.has(name), toggle))}</div>
  </section>`;
}

function pluginView(board: Board, name: string, open: boolean, toggle: (plugin: string, open: boolean) => void): TemplateResult {
  const own = board.profile.args[name];
  const wrong = board.errors.filter(({ place }) => place.plugin === name && !place.point);
  const args = argumentsOf(board.profile, name, board.catalogue);
  return html`<details class="plugin-arguments ${own ? "differs" : ""}" data-arguments=${name} ?open=${open || wrong.length > 0} @toggle=${(event: Event) => toggle(name, (event.target as HTMLDetailsElement).open)}>
    <summary>${broken(name)} ${own ? glyph("changed", "differs from the default") : nothing} ${wrong.length ? glyph("refused", "has errors") : nothing}</summary>
    <div class="argument-form">
      ${name === "NodeAffinity" ? addedAffinity(board, args) : (FIELDS[name] ?? []).map((field) => fieldView(board, name, field, args))}
      ${wrong.filter(({ place }) => !(FIELDS[name] ?? []).some((field) => isWithin(place.field, field.path))).map(({ words }) => html`<p class="bad field-error">${words}</p>`)}
    </div>
  </details>`;
}

function fieldView(board: Board, plugin: string, field: Field, args: Arguments): unknown {
  if (field.kind === "rows" && field.when && !field.when(args)) return nothing;
  const value = valueAt(args, field.path);
  const set = (next: unknown) => board.desk.change((form) => setArgument(form, board.at, plugin, field.path.split("."), next, board.catalogue), `${board.at} ${plugin} ${field.path}`);
  const wrong = board.errors.filter(({ place }) => place.plugin === plugin && isWithin(place.field, field.path));
  return html`${field.kind === "rows" ? rowsView(field, plugin, (value as Arguments[] | undefined) ?? [], set) : oneView(board, plugin, field, args, value, set, wrong.length > 0)}
  ${wrong.map(({ words }) => html`<p class="bad field-error">${glyph("refused")} ${words}</p>`)}`;
}

function oneView(board: Board, plugin: string, field: Exclude<Field, { kind: "rows" }>, args: Arguments, value: unknown, set: (value: unknown) => void, invalid: boolean): TemplateResult {
  const text = (event: Event) => (event.target as HTMLInputElement).value;
  const number = (event: Event) => text(event) !== "" && set(Number(text(event)));
  if (field.kind === "flag") return html`<label class="argument-flag"><input type="checkbox" .checked=${value === true} @change=${(event: Event) => set((event.target as HTMLInputElement).checked)} /> ${field.words}</label>`;
  if (field.kind === "number")
    return html`<label>${field.words} <span class="with-unit"><input type="number" class="num" min=${field.min} max=${field.max ?? nothing} .value=${String(value ?? "")} aria-invalid=${invalid} @input=${number} />${field.unit ?? ""}</span></label>`;
  if (field.kind === "choice") {
    const choose = (event: Event) => {
      const chosen = text(event);
      if (!field.with) return set(chosen);
      const [top = ""] = field.path.split(".");
      const whole = field.with(args, chosen);
      board.desk.change((form) => Object.keys(whole).reduce((made, key) => setArgument(made, board.at, plugin, [key], whole[key], board.catalogue), form), `${board.at} ${plugin} ${top}`);
    };
    return html`<label class="choice">${field.words} <select aria-invalid=${invalid} @change=${choose}>${field.options.map((option) => html`<option .selected=${option === value} value=${option}>${option}</option>`)}</select></label>`;
  }
  if (field.kind === "names") {
    const names = (event: Event) => set(text(event).split(/[\s,]+/).filter(Boolean));
    return html`<label>${field.words} <input type="text" class="mono" placeholder="none" .value=${((value as string[] | undefined) ?? []).join(", ")} aria-invalid=${invalid} @change=${names} /></label>`;
  }
  return html`<label>${field.words} <input type="text" class="mono" placeholder=${field.hint ?? ""} .value=${String(value ?? "")} aria-invalid=${invalid} @change=${(event: Event) => set(text(event))} /></label>`;
}

function rowsView(field: Extract<Field, { kind: "rows" }>, plugin: string, rows: readonly Arguments[], set: (value: unknown) => void): TemplateResult {
  const put = (row: number, column: Column) => (event: Event) => {
    const text = (event.target as HTMLInputElement).value;
    if (column.min !== undefined && text === "") return;
    set(rows.map((item, at) => (at === row ? { ...item, [column.key]: column.min === undefined ? text : Number(text) } : item)));
  };
  const cell = (item: Arguments, row: number, column: Column) => {
    const label = `${plugin}: ${field.words}, ${column.words} ${row + 1}`;
    if (column.options) return html`<select aria-label=${label} @change=${put(row, column)}>${column.options.map((option) => html`<option value=${option} .selected=${option === item[column.key]}>${option}</option>`)}</select>`;
    if (column.min === undefined) return html`<input type="text" class="mono" aria-label=${label} .value=${String(item[column.key] ?? "")} @change=${put(row, column)} />`;
    return html`<input type="number" class="num" aria-label=${label} min=${column.min} max=${column.max ?? nothing} .value=${String(item[column.key] ?? 0)} @input=${put(row, column)} />`;
  };
  return html`<fieldset class="argument-rows">
    <legend>${field.words}</legend>
    ${field.picture && rows.length > 1 ? shapePicture(rows) : nothing}
    ${rows.map(
      (item, row) => html`<div class="argument-row">
        ${field.columns.map((column) => html`<span class=${column.min === undefined ? "wide" : ""}><span class="quiet" aria-hidden="true">${row === 0 ? column.words : nothing}</span>${cell(item, row, column)}</span>`)}
        <button type="button" class="icon small-icon" aria-label="Take away ${field.words} ${row + 1}" title="Take away" @click=${() => set(rows.filter((_, at) => at !== row))}>✕</button>
      </div>`,
    )}
    <button type="button" class="button small" @click=${() => set([...rows, field.fresh])} aria-label="Add to ${field.words}">Add</button>
  </fieldset>`;
}

function shapePicture(rows: readonly Arguments[]): TemplateResult {
  const points = rows.map((row) => [Number(row["utilization"]), 10 - Number(row["score"])] as const).sort((a, b) => a[0] - b[0]);
  const line = [[0, points[0]![1]], ...points, [100, points.at(-1)![1]]].map(([x, y]) => `${x},${y! * 3}`).join(" ");
  return html`<svg class="shape" viewBox="-1 -1 102 32" preserveAspectRatio="none" aria-hidden="true"><polyline points=${line}></polyline></svg>`;
}

function addedAffinity(board: Board, args: Arguments): TemplateResult {
  const begin = () => {
    const terms = [{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "Exists" }] }];
    const value = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    board.desk.change((form) => setArgument(form, board.at, "NodeAffinity", ["addedAffinity"], value, board.catalogue));
  };
  const added = args["addedAffinity"];
  return html`<p class="quiet">addedAffinity holds for every pod of this profile. It is written in the YAML.</p>
    ${added
      ? html`<pre class="mono added">${JSON.stringify(added, null, 1)}</pre>`
      : html`<button type="button" class="button small" @click=${begin}>Begin with one</button>`}`;
}

function withShape(args: Arguments, type: string): Arguments {
  const strategy = args["scoringStrategy"] as Arguments;
  const shape = [
    { utilization: 0, score: 0 },
    { utilization: 100, score: 10 },
  ];
  return { scoringStrategy: { ...strategy, type, requestedToCapacityRatio: type === RATIO ? { shape } : undefined } };
}

function withConstraints(args: Arguments, type: string): Arguments {
  return { defaultingType: type, defaultConstraints: type === "List" ? args["defaultConstraints"] : [] };
}

function valueAt(args: Arguments, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Arguments | undefined)?.[key], args);
}

function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
