/** The breakpoint of the scrubber: what to stop at, how often it is met, and the way from one place to the next. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, counted, podName } from "../base/format";
import type { BreakKind, BreakSearch, Breakpoint } from "../trace/breakpoints";
import type { SpRun } from "./sp-run";

const KINDS: readonly [BreakKind, string][] = [
  ["rejects", "a plugin rejects"],
  ["backoff", "a pod leaves backoffQ"],
  ["preemption", "a preemption"],
  ["tie", "a tie"],
  ["margin", "a margin below"],
  ["event", "an event"],
];
const DEFAULT_MARGIN = "5";
const MOST_TYPES = 40;

export function breakView(run: SpRun): TemplateResult {
  const breaks = run.player.breaks;
  return html`<span class="break">
    <button type="button" class="button small" popovertarget="break-form" aria-label="Break on" title="Stop where something happens">
      ${breaks ? wordsOf(breaks.point) : "break on"}
    </button>
    ${breaks ? walk(run, breaks) : nothing}
    <div id="break-form" class="break-form" popover role="dialog" aria-label="Break on">${form(run, breaks)}</div>
  </span>`;
}

/** The breakpoint in a few words. */
export function wordsOf({ kind, what }: Breakpoint): string {
  if (kind === "rejects") return `${what || "any plugin"} rejects`;
  if (kind === "backoff") return `${what ? podName(what) : "a pod"} leaves backoffQ`;
  if (kind === "margin") return `margin below ${what || DEFAULT_MARGIN}`;
  return kind === "event" ? what || "any event" : `a ${kind}`;
}

function walk(run: SpRun, breaks: BreakSearch): TemplateResult {
  const { state } = run.store;
  const at = breaks.place(state.seq + 1);
  const step = (label: string, shape: string, by: 1 | -1, off: boolean) => html`<button
    type="button" class="icon solid" aria-label=${label} title=${label} ?disabled=${off} @click=${() => run.player.stepBreak(by)}
  ><svg viewBox="0 0 12 12" aria-hidden="true"><path d=${shape}></path></svg></button>`;
  return html`${step("Last break (Shift+B)", "M9 2L3 6l6 4z", -1, !breaks.before(state.seq))}
    <span class="num quiet" title="${counted(breaks.found.length, "place")} where it is met">${count(at)}/${count(breaks.found.length)}</span>
    ${step("Next break (B)", "M3 2l6 4l-6 4z", 1, breaks.found.length === 0 || (!run.store.live && !breaks.after(state.seq)))}`;
}

function form(run: SpRun, breaks: BreakSearch | null): TemplateResult {
  const point = breaks?.point ?? null;
  const choose = (kind: BreakKind | "") => run.player.breakOn(kind ? { kind, what: firstWhat(run, kind) } : null);
  return html`<label class="choice">
      <span>stop at</span>
      <select aria-label="Stop at" @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as BreakKind | "")}>
        <option value="" ?selected=${!point}>nothing</option>
        ${KINDS.map(([kind, words]) => html`<option value=${kind} ?selected=${point?.kind === kind}>${words}</option>`)}
      </select>
    </label>
    ${point ? whatField(run, point) : nothing}
    ${breaks
      ? html`<p class="quiet" role="status">${breaks.found.length ? html`Met at ${counted(breaks.found.length, "place")}; playing stops at each.` : "Not met anywhere so far."}</p>`
      : html`<p class="quiet">Playing stops there, and <kbd>B</kbd> goes from one place to the next.</p>`}`;
}

function firstWhat(run: SpRun, kind: BreakKind): string {
  if (kind === "margin") return DEFAULT_MARGIN;
  return kind === "backoff" ? (run.pod ?? "") : "";
}

function whatField(run: SpRun, point: Breakpoint): unknown {
  const set = (event: Event) => run.player.breakOn({ kind: point.kind, what: (event.target as HTMLInputElement).value.trim() });
  const select = (label: string, options: readonly (readonly [string, string])[]) => html`<label class="choice">
    <span>${label}</span>
    <select aria-label=${label} @change=${set}>${options.map(([value, text]) => html`<option value=${value} ?selected=${value === point.what}>${text}</option>`)}</select>
  </label>`;
  const names = (all: readonly string[]) => all.map((name) => [name, name] as const);
  if (point.kind === "rejects") return select("plugin", [["", "any"], ...names(run.series.plugins)]);
  if (point.kind === "event") return select("type", [["", "any"], ...names(typesIn(run))]);
  if (point.kind === "margin") {
    return html`<label class="choice"><span>below</span><input type="number" min="1" aria-label="Points" .value=${point.what || DEFAULT_MARGIN} @change=${set} /></label>`;
  }
  if (point.kind === "backoff") {
    return html`<label class="choice"><span>pod</span><input type="text" aria-label="Pod" placeholder="any, or namespace/name" .value=${point.what} @change=${set} /></label>`;
  }
  return nothing;
}

/** Types of the events that are there. */
function typesIn(run: SpRun): string[] {
  return [...run.series.types].sort().slice(0, MOST_TYPES);
}
