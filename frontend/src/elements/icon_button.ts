/** A button that is a drawing, with its name for those who listen and on hover. */

import { html } from "lit";
import type { TemplateResult } from "lit";

export function iconButton(label: string, shape: string, run: () => void, disabled: boolean, kind = "solid"): TemplateResult {
  return html`<button type="button" class="icon ${kind}" aria-label=${label} title=${label} ?disabled=${disabled} @click=${run}>
    <svg viewBox="0 0 12 12" aria-hidden="true"><path d=${shape}></path></svg>
  </button>`;
}
