/** What holds for a profile as a whole, and for all profiles of its configuration. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ConfigForm } from "../api/profiles";
import { changeProfile } from "../trace/config_form";
import { glyph } from "./light";
import type { Board } from "./profile_board";

const SHARED = [
  ["podInitialBackoffSeconds", "First backoff", "s"],
  ["podMaxBackoffSeconds", "Longest backoff", "s"],
  ["percentageOfNodesToScore", "Nodes scored, all profiles", "%"],
] as const;
const SHOWN = new Set(["apiVersion", "kind", "profiles", ...SHARED.map(([field]) => field)]);

export function settingsView(board: Board): TemplateResult {
  const { desk, at, profile } = board;
  const form = desk.now.form!;
  const name = (event: Event) => desk.change((made) => changeProfile(made, at, (one) => ({ ...one, schedulerName: (event.target as HTMLInputElement).value })), `name ${at}`);
  const percentage = (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    desk.change((made) => changeProfile(made, at, (one) => ({ ...one, percentageOfNodesToScore: value === "" ? null : Number(value) })), `percentage ${at}`);
  };
  const shared = (field: keyof ConfigForm) => (event: Event) => {
    const { value } = event.target as HTMLInputElement;
    if (value !== "") desk.change((made) => ({ ...made, [field]: Number(value) }), field);
  };
  const rest = yamlOnly(desk.now.text);
  return html`<div class="profile-settings">
    <label>schedulerName <input type="text" class="mono" .value=${profile.schedulerName} aria-invalid=${isWrong(board, "schedulerName", at)} @input=${name} /></label>
    <label title="Empty: as for all profiles">Nodes scored here <span class="with-unit"><input type="number" class="num" min="0" max="100" placeholder="as all" .value=${String(profile.percentageOfNodesToScore ?? "")} aria-invalid=${isWrong(board, "percentageOfNodesToScore", at)} @input=${percentage} />%</span></label>
    ${SHARED.map(
      ([field, words, unit]) => html`<label title="${field}, for all profiles${field === "percentageOfNodesToScore" ? "; 0: by the size of the cluster" : ""}"
        >${words} <span class="with-unit"><input type="number" class="num" min="0" .value=${String(form[field])} aria-invalid=${isWrong(board, field, -1)} @input=${shared(field)} />${unit}</span></label
      >`,
    )}
    ${board.errors
      .filter(({ place }) => !place.point && !place.plugin)
      .map(({ place, words }) => html`<p class="bad field-error">${glyph("refused")} <span class="mono">${place.field}</span> ${words}</p>`)}
    ${rest.length ? html`<p class="quiet rest">Only in the YAML, and kept: ${rest.join(", ")}</p>` : nothing}
  </div>`;
}

function isWrong({ errors }: Board, field: string, profile: number): boolean {
  return errors.some(({ place }) => place.field === field && place.profile === profile && !place.point);
}

/** The fields at the top of a text that no form shows. */
function yamlOnly(text: string): string[] {
  return [...text.matchAll(/^(\w+):/gm)].map(([, field]) => field!).filter((field) => !SHOWN.has(field));
}
