/** The verdicts of a cycle, drawn: node × plugin with reasons; rows of nodes judged alike can be opened. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { CycleDetail, MessagePart } from "../api/detail";
import { count, counted } from "../base/format";
import { GLYPHS, glyphOfCode } from "../base/glyphs";
import type { GlyphName } from "../base/glyphs";
import { NOT_LOOKED_AT, PASSES, needText, verdictTable, wordsOfRows } from "../trace/verdicts";
import type { Mode, VerdictRow, VerdictTable } from "../trace/verdicts";
import { glyph, nameText } from "./light";
import { scoreBar, segmented } from "./score_view";
import type { SpRun } from "./sp-run";
import { styled } from "./styled";
import { term } from "./term";

const NAMED_NODES = 60;

export interface VerdictViewState {
  /** Keys of the opened groups. */
  opened: Set<string>;
  /** What the pointer or the focus is on. */
  inspected: string;
}

export function freshView(): VerdictViewState {
  return { opened: new Set(), inspected: "" };
}

export interface VerdictViewHost {
  readonly run: SpRun;
  view: VerdictViewState;
  redraw(): void;
  selectNode(name: string): void;
  selectedNode: string | null;
}

function cellGlyph(detail: CycleDetail, cell: number): GlyphName {
  if (cell === PASSES) return "fits";
  if (cell === NOT_LOOKED_AT) return "skipped";
  return glyphOfCode(detail.statuses[cell]?.code);
}

function inspection(detail: CycleDetail, plugin: string, row: VerdictRow, cell: number): string {
  const who = row.nodes.length === 1 ? detail.nodes[row.nodes[0]!]! : counted(row.nodes.length, "node");
  if (cell === PASSES) return `${plugin} lets ${who} pass`;
  if (cell === NOT_LOOKED_AT) return `${plugin} did not look at ${who}`;
  const words = numbersOf(detail, plugin, row.nodes);
  const numbers = words ? ` – ${words}` : "";
  return `${plugin} refuses ${who}${cellGlyph(detail, cell) === "final" ? " for good" : ""}: ${reasons(detail, cell)}${numbers}`;
}

/** Need, have and short over the nodes of a row; what else a plugin says, in the core's words. */
function numbersOf(detail: CycleDetail, plugin: string, rows: readonly number[]): string {
  const needs = needText(detail, plugin, rows);
  return needs.length ? needs.map((need) => need.text).join("; ") : wordsOfRows(detail, plugin, rows);
}

const reasons = (detail: CycleDetail, status: number): string => (detail.statuses[status]?.reasons ?? []).join(", ");

/** The verdicts with their heading: which nodes were looked at, first refusals or every plugin, all nodes or some. */
export function verdictSection(detail: CycleDetail, host: VerdictViewHost, title: string): unknown {
  if (detail.nodes.length === 0) return nothing;
  const mode = modeOf(host.run);
  const reason = reasonOf(host.run, detail);
  return html`<section class="filters" aria-label=${title}>
    <header class="sub">
      <h3>${title}</h3>
      ${segmented<Mode>(["first", "all"], mode, (chosen) => host.run.setView({ verdicts: chosen === "all" ? "all" : null }, true), { first: "first refusal", all: "every plugin" })}
      ${reason
        ? html`<button type="button" class="chip" title="Show all nodes again" @click=${() => host.run.setView({ reason: null }, true)}>only: ${reason} <span aria-hidden="true">✕</span><span class="visually-hidden">, show all nodes</span></button>`
        : nothing}
      <span class="inspected" aria-live="polite">${host.view.inspected}</span>
    </header>
    ${sampleLine(detail)} ${verdictView(detail, verdictTable(detail, mode, reason), mode, host)}
  </section>`;
}

const modeOf = (run: SpRun): Mode => (run.view("verdicts") === "all" ? "all" : "first");

/** The reason whose nodes are shown; "" for all, also where no node of this cycle gave it. */
export function reasonOf(run: SpRun, detail: CycleDetail): string {
  const reason = run.view("reason") ?? "";
  return detail.message_parts.some((part) => part.cause === "filter" && part.reason === reason) ? reason : "";
}

/** Shows the nodes behind a part of the event's message; again, and all are shown. */
export function showReason(host: VerdictViewHost & HTMLElement, part: MessagePart): void {
  if (part.cause === "preemption") {
    host.querySelector(".preemption")?.scrollIntoView({ block: "nearest" });
    return;
  }
  const reason = part.reason ?? "";
  host.run.setView({ reason: host.run.view("reason") === reason ? null : reason }, true);
  host.querySelector(".filters")?.scrollIntoView({ block: "nearest" });
}

function sampleLine(detail: CycleDetail): unknown {
  const { sample } = detail;
  if (detail.filtering) return nothing;
  if (!sample?.num_candidates) return sample ? html`<p class="quiet-line">${sample.text}</p>` : nothing;
  const all = sample.num_candidates;
  const from = sample.start_index ?? 0;
  const seen = Math.min(detail.num_evaluated, all);
  const first = Math.min(seen, all - from);
  const share = (part: number) => `${((part / all) * 100).toFixed(2)}%`;
  return html`<div class="sample">
    <p class="quiet-line">${term("sampling", "Sample")} ${sample.text}</p>
    ${seen < all
      ? html`<span class="sample-strip" role="img" aria-label="Nodes in the scheduler's order, those looked at filled">
          <i ${styled({ left: share(from), width: share(first) })}></i>
          <i ${styled({ left: "0%", width: share(seen - first) })}></i>
        </span>`
      : nothing}
  </div>`;
}

function verdictView(detail: CycleDetail, table: VerdictTable, mode: Mode, host: VerdictViewHost): TemplateResult {
  const scored = table.rows.some((row) => row.total !== null);
  const most = Math.max(1, ...detail.total);
  return html`
    <div class="table-scroll">
      <table class="verdicts ${table.columns.length > 5 ? "many" : ""}" role="grid" @keydown=${moveFocus}>
        <thead>
          <tr>
            <th scope="col" class="who">Node</th>
            ${table.columns.map((plugin) => html`<th scope="col" class="plugin"><span title=${plugin}>${plugin}</span></th>`)}
            <th scope="col" class="reason">Verdict</th>
            ${scored ? html`<th scope="col" class="score">Score</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${repeat(
            table.rows,
            (row) => row.key,
            (row, at) => verdictRow(detail, table, row, host, { first: at === 0, scored, most }),
          )}
        </tbody>
      </table>
    </div>
    ${quietLine(table, mode)}
  `;
}

function quietLine(table: VerdictTable, mode: Mode): unknown {
  if (table.quiet.length === 0) return nothing;
  const lead = mode === "first" && table.columns.length ? "Refused no node that they saw" : "Refuse no node";
  return html`<p class="quiet-line">${glyph("fits")} <span>${lead}: <span class="mono">${table.quiet.join(", ")}</span></span></p>`;
}

interface RowPlace {
  first: boolean;
  scored: boolean;
  most: number;
}

function verdictRow(detail: CycleDetail, table: VerdictTable, row: VerdictRow, host: VerdictViewHost, place: RowPlace): TemplateResult {
  const open = host.view.opened.has(row.key);
  const inspect = (text: string) => () => {
    if (host.view.inspected === text) return;
    host.view.inspected = text;
    host.redraw();
  };
  const columns = table.columns.length + 2 + (place.scored ? 1 : 0);
  return html`<tr class="row-${row.glyph} ${isSelected(detail, row, host) ? "selected" : ""}">
      <th scope="row" class="who">${who(detail, row, host, open)}</th>
      ${row.cells.map((cell, column) => {
        const text = inspection(detail, table.columns[column]!, row, cell);
        return html`<td
          class="cell"
          role="gridcell"
          tabindex=${place.first && column === 0 ? "0" : "-1"}
          title=${text}
          aria-label=${text}
          @focus=${inspect(text)}
          @pointerenter=${inspect(text)}
        >
          ${glyph(cellGlyph(detail, cell))}
        </td>`;
      })}
      <td class="reason" title=${row.status?.reasons.join(", ") ?? nothing}>${verdictText(detail, row)}</td>
      ${place.scored ? html`<td class="score">${scoreOf(detail, row, place.most)}</td>` : nothing}
    </tr>
    ${open ? html`<tr class="members"><td colspan=${columns}>${members(detail, row, host)}</td></tr>` : nothing}`;
}

function isSelected(detail: CycleDetail, row: VerdictRow, host: VerdictViewHost): boolean {
  return row.nodes.length === 1 && host.selectedNode !== null && detail.nodes[row.nodes[0]!] === host.selectedNode;
}

function who(detail: CycleDetail, row: VerdictRow, host: VerdictViewHost, open: boolean): TemplateResult {
  if (row.nodes.length === 1) {
    const name = detail.nodes[row.nodes[0]!]!;
    return html`<button type="button" class="link" title=${name} @click=${() => host.selectNode(name)}>
      ${glyph(row.glyph, GLYPHS[row.glyph].label)}${nameText(name)}
    </button>`;
  }
  const toggle = () => {
    if (open) host.view.opened.delete(row.key);
    else host.view.opened.add(row.key);
    host.redraw();
  };
  return html`<button type="button" class="link" aria-expanded=${open} @click=${toggle}>
    ${glyph(row.glyph, GLYPHS[row.glyph].label)}<span><strong>${count(row.nodes.length)}</strong> nodes</span><span class="chevron" aria-hidden="true"></span>
  </button>`;
}

function verdictText(detail: CycleDetail, row: VerdictRow): unknown {
  if (row.glyph === "chosen") return html`<span class="verdict-said">chosen${row.tied ? ", tied for the best score" : ""}</span>`;
  if (row.glyph === "fits") return html`<span class="quiet">${detail.filtering ? "passes so far" : "fits"}${row.tied ? ", tied" : ""}</span>`;
  if (row.glyph === "skipped") return html`<span class="quiet" title="kube-scheduler stops once enough nodes fit, or at once where the pod's nominated node does">not looked at</span>`;
  if (!row.status) return nothing;
  const needs = needText(detail, row.status.plugin, row.nodes);
  const words = needs.length ? "" : wordsOfRows(detail, row.status.plugin, row.nodes);
  return html`<span class="verdict-said">${row.status.reasons.join(", ")}</span>
    ${needs.map((need) => html`<span class="need" title=${need.exact}>${need.text}</span>`)}
    ${words ? html`<span class="need" title=${words}>${words}</span>` : nothing}`;
}

function scoreOf(detail: CycleDetail, row: VerdictRow, most: number): unknown {
  if (row.nodes.length > 1 && row.totals) {
    const [least, highest] = row.totals;
    return html`<span class="quiet">${least === highest ? `all ${count(least)}` : `${count(least)} to ${count(highest)}`}</span>`;
  }
  if (row.total === null || row.nodes.length !== 1) return nothing;
  return html`<span class="score-cell">${scoreBar(detail, detail.scored.indexOf(row.nodes[0]!), most)}<strong class="num">${count(row.total)}</strong></span>`;
}

function members(detail: CycleDetail, row: VerdictRow, host: VerdictViewHost): TemplateResult {
  const rest = row.nodes.length - NAMED_NODES;
  return html`<div class="member-list">
    ${row.nodes
      .slice(0, NAMED_NODES)
      .map((at) => html`<button type="button" class="link mono" @click=${() => host.selectNode(detail.nodes[at]!)}>${detail.nodes[at]}</button>`)}
    ${rest > 0 ? html`<span class="quiet">and ${count(rest)} more</span>` : nothing}
  </div>`;
}

/** Arrow keys walk over the cells. */
function moveFocus(event: KeyboardEvent): void {
  const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>("td.cell");
  const steps: Record<string, readonly [number, number]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const step = steps[event.key];
  if (!cell || !step) return;
  const rows = [...(event.currentTarget as HTMLTableElement).tBodies[0]!.querySelectorAll("tr:not(.members)")];
  const row = rows.indexOf(cell.parentElement as HTMLTableRowElement);
  const column = [...cell.parentElement!.querySelectorAll("td.cell")].indexOf(cell);
  const next = rows[row + step[0]]?.querySelectorAll<HTMLElement>("td.cell")[column + step[1]];
  event.preventDefault();
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
