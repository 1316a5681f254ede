/** The extension points of a cycle as a row; one that is opened tells what each plugin did there. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CallItem, Did } from "../api/detail";
import type { GlyphName } from "../base/glyphs";
import { shortText, tally } from "../trace/extension_points";
import type { Point } from "../trace/extension_points";
import { glyph } from "./light";
import { term } from "./term";

const GLYPH_OF: Record<Did, GlyphName> = { ran: "fits", skipped: "skipped", refused: "refused", waits: "assumed", error: "final", later: "assumed" };
const WORD_OF: Record<Did, string> = { ran: "ran", skipped: "skipped", refused: "refused", waits: "has the pod wait", error: "met an error", later: "runs in the binding cycle" };

export interface PointsHost {
  openedPoint: string;
  openPoint(name: string): void;
}

/** `at` is the point where the playhead stands, "" outside. */
export function pointsView(points: readonly Point[], at: string, host: PointsHost): TemplateResult {
  const opened = points.find((point) => point.name === host.openedPoint);
  return html`<section class="points-box" aria-label="Extension points">
    <ol class="points">
      ${points.map(
        (point) => html`<li class="point ${point.did || "idle"}" aria-current=${point.name === at ? "step" : nothing}>
          <button
            type="button"
            aria-expanded=${point.name === host.openedPoint}
            ?disabled=${point.calls.length === 0 && !point.text}
            title=${point.text || (point.did ? tally(point.calls) : "The cycle did not get here")}
            @click=${() => host.openPoint(point.name === host.openedPoint ? "" : point.name)}
          >
            <span class="point-name">${point.name}</span> ${shortText(point) ? html`<span class="did">${shortText(point)}</span>` : nothing}
          </button>
        </li>`,
      )}
    </ol>
    ${opened ? panel(opened) : nothing}
  </section>`;
}

function panel(point: Point): TemplateResult {
  const spoken = point.calls.filter((call) => call.did !== "skipped");
  const skipped = point.calls.filter((call) => call.did === "skipped");
  return html`<div class="point-panel">
    <p>${term(point.name)} ${point.text ? html`<span class="quiet">${point.text}</span>` : nothing}</p>
    <ul>
      ${spoken.map((call) => html`<li>${callRow(call)}</li>`)}
      ${skipped.length ? html`<li class="quiet">${glyph("skipped", "skipped")}<span>skipped: <span class="mono">${skipped.map((call) => call.plugin).join(", ")}</span></span></li>` : nothing}
    </ul>
  </div>`;
}

function callRow(call: CallItem): TemplateResult {
  const did = call.did ?? "ran";
  return html`${glyph(GLYPH_OF[did], WORD_OF[did])}<span><span class="mono">${call.plugin}</span> ${call.text || WORD_OF[did]}</span>`;
}
