/** The same cluster five ways: as a map, as a stream of what was bound when, as charts, as tables of nodes and of pods. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import { RunView, skeleton } from "./light";
import { segmented } from "./score_view";

const WAYS = ["map", "stream", "charts", "nodes", "pods"] as const;
type Way = (typeof WAYS)[number];
const WORDS: Record<Way, string> = { map: "Map", stream: "Stream", charts: "Charts", nodes: "Nodes", pods: "Pods" };

class SpBoard extends RunView {
  override readonly pace = "rest";
  private loading: Promise<unknown> | null = null;
  private loaded = false;

  private get way(): Way {
    const asked = this.run.view("board") as Way | null;
    return asked && WAYS.includes(asked) ? asked : "map";
  }

  protected override render(): TemplateResult {
    const { way } = this;
    return html`<header class="panel-head">
        <h2>Cluster</h2>
        ${segmented<Way>(WAYS, way, (one) => this.run.setView({ board: one === "map" ? null : one }, true), WORDS)}
      </header>
      ${this.panel(way)}`;
  }

  private panel(way: Way): TemplateResult {
    if (way === "map") return html`<sp-map></sp-map>`;
    if (way === "nodes" || way === "pods") return html`<sp-tables .kind=${way}></sp-tables>`;
    if (!this.loaded) {
      this.loading ??= import("./lazy_charts").then(() => {
        this.loaded = true;
        this.requestUpdate();
      });
      return skeleton(6, "Reading the charts");
    }
    return way === "stream" ? html`<sp-stream></sp-stream>` : html`<sp-charts></sp-charts>`;
  }
}

customElements.define("sp-board", SpBoard);
