/** Left column, lower half: the cycles, or the events one by one. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import { RunView } from "./light";
import { segmented } from "./score_view";

type Way = "cycles" | "events";

class SpHistory extends RunView {
  override readonly pace = "rest";
  protected override render(): TemplateResult {
    const way: Way = this.run.view("log") === "events" ? "events" : "cycles";
    return html`<header class="panel-head">
        <h2>Log</h2>
        ${segmented<Way>(["cycles", "events"], way, (one) => this.run.setView({ log: one === "events" ? one : null }, true), { cycles: "Cycles", events: "Events" })}
      </header>
      ${way === "cycles" ? html`<sp-cycles></sp-cycles>` : html`<sp-log></sp-log>`}`;
  }
}

customElements.define("sp-history", SpHistory);
