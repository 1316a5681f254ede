/** The same cluster three ways: as a map, as a table of nodes, as a table of pods. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import { RunView } from "./light";
import { segmented } from "./score_view";

type Way = "map" | "nodes" | "pods";

class SpBoard extends RunView {
  private way: Way = "map";

  protected override render(): TemplateResult {
    return html`<header class="panel-head">
        <h2>Cluster</h2>
        ${segmented<Way>(["map", "nodes", "pods"], this.way, (way) => this.show(way), { map: "Map", nodes: "Nodes", pods: "Pods" })}
      </header>
      ${this.way === "map" ? html`<sp-map></sp-map>` : html`<sp-tables .kind=${this.way}></sp-tables>`}`;
  }

  private show(way: Way): void {
    this.way = way;
    this.requestUpdate();
  }
}

customElements.define("sp-board", SpBoard);
