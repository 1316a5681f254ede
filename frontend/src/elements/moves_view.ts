/** Moves between the queues, drawn: the event that moved a pod and each plugin's QueueingHint for it. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { count, counted, list, podName, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { entryOf, lastMoves, waitsFor } from "../trace/moves";
import type { Move } from "../trace/moves";
import { glyph, nameText } from "./light";
import type { SpRun } from "./sp-run";
import { term } from "./term";

const SHOWN = 2;
const WAITS_SHOWN = 3;
const GLYPH_OF: Record<string, GlyphName> = { active: "active", backoff: "backoff", unschedulable: "unschedulable", gated: "gated" };

export function movesView(run: SpRun): unknown {
  const moves = lastMoves(run.store, SHOWN);
  if (moves.length === 0) return nothing;
  return html`<section class="moves" aria-label="Last moves">
    <h3>Last moves</h3>
    <ul>${moves.map((move) => moveRow(run, move))}</ul>
  </section>`;
}

function moveRow(run: SpRun, { event, from }: Move): TemplateResult {
  const goto = () => {
    run.player.pause();
    run.store.seek(event.seq);
    run.goAlong();
    run.note(true);
    run.touch();
  };
  const why = event.in_flight_event || event.event;
  return html`<li class="move">
    <button type="button" class="move-what" title="Go to this event, t ${time(event.t_us)}" @click=${goto}>
      ${glyph(GLYPH_OF[event.queue] ?? "active", event.queue)} ${nameText(event.pod, podName(event.pod))}
      <span class="move-way">${from && from !== event.queue ? `${from} → ${event.queue}` : `→ ${event.queue}`}</span>
    </button>
    <p class="move-why">
      <span class="mono" title="the event that moved it">${why}</span>${event.in_flight_event ? " during the attempt" : nothing}
      ${hints(event.hints)} ${skipped(event.skipped_events)}
    </p>
  </li>`;
}

function hints(said: Record<string, string> | undefined): unknown {
  const all = Object.entries(said ?? {});
  if (all.length === 0) return nothing;
  return html`· ${all.map(
    ([plugin, hint], i) => html`${i ? ", " : ""}<span class="mono">${plugin}</span> ${term("QueueingHint", hint === "Queue" ? "says queue" : "says skip")}`,
  )}`;
}

function skipped(events: Record<string, number> | undefined): unknown {
  const all = Object.entries(events ?? {});
  if (all.length === 0) return nothing;
  const sum = all.reduce((total, [, times]) => total + times, 0);
  return html`<span title=${all.map(([name, times]) => `${name}: ${count(times)}`).join("\n")}>· ${counted(sum, "event")} skipped before</span>`;
}

/** What an unschedulable pod waits for. */
export function waitsView(run: SpRun, pod: number): unknown {
  const entry = entryOf(run.store, pod);
  const waits = waitsFor(run.store, entry?.plugins ?? []);
  if (waits.length === 0) return nothing;
  const rest = waits.length - WAITS_SHOWN;
  return html`<span class="why waits" title=${`Waits for ${list(waits)}`}>waits for ${waits.slice(0, WAITS_SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}</span>`;
}
