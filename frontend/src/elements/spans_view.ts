/** A pod's time line: a span for each queue, cycle and state; a wider one is longer, not to scale. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, left, list, time } from "../base/format";
import { SPAN_GLYPH, SPAN_WORDS, spanAt } from "../trace/pod_story";
import type { Span } from "../trace/pod_story";
import { glyph } from "./light";
import type { SpRun } from "./sp-run";
import { styled } from "./styled";
import { term } from "./term";

const SHOWN = 32;

export function spansView(run: SpRun, spans: readonly Span[]): unknown {
  if (spans.length === 0) return nothing;
  const here = spanAt(spans, run.store.state.seq);
  const hidden = Math.max(0, spans.length - SHOWN);
  const from = hidden && here ? Math.min(hidden, Math.max(0, spans.indexOf(here) - SHOWN + 4)) : hidden;
  const shown = spans.slice(from, from + SHOWN);
  return html`<section class="spans-box" aria-label="Time line">
    <ol class="spans">
      ${from ? html`<li class="quiet spans-more">${count(from)} earlier</li>` : nothing}
      ${shown.map((span) => spanItem(run, span, span === here))}
      ${from + SHOWN < spans.length ? html`<li class="quiet spans-more">${count(spans.length - from - SHOWN)} later</li>` : nothing}
    </ol>
    ${here ? html`<p class="span-now">${spanWords(here)}</p>` : nothing}
  </section>`;
}

/** Ten times as long is one step wider. */
function width(span: Span): string {
  return span.toUs === null ? "2" : (1 + Math.log10(1 + (span.toUs - span.fromUs) / 1000)).toFixed(2);
}

function spanItem(run: SpRun, span: Span, here: boolean): TemplateResult {
  const goto = () => (span.kind === "cycle" ? openAttempt(run, span) : goTo(run, span.seq));
  const kind = span.kind === "cycle" && span.failed ? "failed" : span.kind;
  const lasted = span.toUs === null ? "" : left(span.toUs - span.fromUs);
  return html`<li class="span s-${kind} ${span.seq > run.store.state.seq ? "later" : ""}" ${styled({ "flex-grow": width(span) })}>
    <button type="button" aria-current=${here ? "step" : nothing} title="${SPAN_WORDS[span.kind]} from t ${time(span.fromUs)}${lasted ? `, for ${lasted}` : ""}" @click=${goto}>
      ${glyph(kind === "failed" ? "refused" : SPAN_GLYPH[span.kind])}
      <span class="span-word">${span.kind === "cycle" ? `cycle ${count(span.cycle)}` : SPAN_WORDS[span.kind]}</span>
    </button>
  </li>`;
}

function goTo(run: SpRun, seq: number): void {
  run.player.pause();
  run.store.seek(seq);
  run.note(true);
  run.touch();
}

/** The pod stays chosen: its story goes on from this cycle. */
function openAttempt(run: SpRun, span: Span): void {
  const row = run.store.cycles.row(span.cycle);
  goTo(run, row?.lastSeq ?? span.seq);
}

/** What brought it there, by which event, and what the plugins said of that. */
function spanWords(span: Span): TemplateResult {
  const from = html`<strong>${SPAN_WORDS[span.kind]}</strong> since t ${time(span.fromUs)}`;
  const { entered } = span;
  if (!entered) return html`${from}${span.node ? html` on <span class="mono">${span.node}</span>` : nothing}`;
  const hints = Object.entries(entered.hints ?? {});
  const skipped = Object.entries(entered.skipped_events ?? {});
  return html`${from}, moved by <span class="mono">${entered.in_flight_event || entered.event}</span>${entered.in_flight_event ? " during the attempt" : nothing}${hints.length
      ? html`: ${hints.map(([plugin, hint], i) => html`${i ? ", " : ""}<span class="mono">${plugin}</span> says ${term("QueueingHint", hint === "Queue" ? "queue" : "skip")}`)}`
      : nothing}${skipped.length ? html`. Before that ${list(skipped.map(([name, times]) => `${name} ×${count(times)}`))} ${skipped.length > 1 || skipped[0]![1] > 1 ? "were" : "was"} not worth an attempt` : nothing}.`;
}
