/** Left column, lower half: the cycles, or the events one by one. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import { RunView } from "./light";
import { segmented } from "./score_view";

type Way = "cycles" | "events";

class SpHistory extends RunView {
  private way: Way = "cycles";

  protected override render(): TemplateResult {
    return html`<header class="panel-head">
        <h2>Log</h2>
        ${segmented<Way>(["cycles", "events"], this.way, (way) => this.show(way), { cycles: "Cycles", events: "Events" })}
      </header>
      ${this.way === "cycles" ? html`<sp-cycles></sp-cycles>` : html`<sp-log></sp-log>`}`;
  }

  private show(way: Way): void {
    this.way = way;
    this.requestUpdate();
  }
}

customElements.define("sp-history", SpHistory);
