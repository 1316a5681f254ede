/** Where a decision can be weighed anew; loaded when it is opened. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import type { CycleDetail } from "../api/types";

export function sensitivitySlot(detail: CycleDetail): TemplateResult {
  const load = (event: Event) => (event.target as HTMLDetailsElement).open && void import("./lazy_sensitivity");
  return html`<details class="sensitivity-slot" @toggle=${load}>
    <summary>What if a weight were different?</summary>
    <sp-sensitivity .detail=${detail}></sp-sensitivity>
  </details>`;
}
