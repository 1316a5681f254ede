/** The panels of the run page: side by side where there is room, one at a time behind tabs where there is not. */

import { html } from "lit";
import { provideCommands } from "../base/commands";
import { keyMap } from "../base/keys";
import { RunView } from "./light";
import { runCommands } from "./run_commands";

const PANELS = [
  ["queue", "Queue", "q"],
  ["map", "Map", "m"],
  ["detail", "Cycle", "c"],
  ["log", "Log", "l"],
] as const;

type Panel = (typeof PANELS)[number][0];

class SpLayout extends RunView {
  override readonly pace = "rest";
  private panel: Panel = "map";
  private release: () => void = () => undefined;
  private forget: () => void = () => undefined;
  private seen = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = keyMap.add(
      ...PANELS.map(([panel, title, key]) => ({ keys: `g ${key}`, label: `go to the ${title.toLowerCase()}`, group: "Panels", run: () => this.show(panel, true) })),
      { keys: "/", label: "find on the map", group: "Panels", run: () => this.search() },
      { keys: "escape", label: "deselect", group: "Panels", run: () => this.deselect() },
    );
    this.forget = provideCommands(runCommands(this.run));
    this.reflect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
    this.forget();
  }

  /** A choice made on one panel that another answers: on a narrow page that one is shown. */
  protected override willUpdate(): void {
    const { run } = this;
    const now = `${run.pod} ${run.node} ${run.tab}`;
    if (now !== this.seen && (run.pod || run.node) && this.panel !== "detail") this.show("detail", false);
    this.seen = now;
  }

  protected override render(): unknown {
    return html`<nav class="panel-tabs" role="tablist" aria-label="Panels">
      ${PANELS.map(([panel, title]) => html`<button type="button" role="tab" data-panel-tab=${panel} aria-selected=${panel === this.panel} @click=${() => this.show(panel, false)}>${title}</button>`)}
    </nav>`;
  }

  private show(panel: Panel, focus: boolean): void {
    this.panel = panel;
    this.reflect();
    this.requestUpdate();
    if (focus) document.querySelector<HTMLElement>(`[data-panel="${panel}"]`)?.focus();
  }

  private reflect(): void {
    const grid = document.querySelector<HTMLElement>(".run-grid");
    if (grid) grid.dataset["shown"] = this.panel;
  }

  private search(): void {
    this.show("map", false);
    document.querySelector<HTMLInputElement>("[data-search]")?.focus();
  }

  private deselect(): void {
    const { run } = this;
    const active = document.activeElement as HTMLElement | null;
    if (active?.matches("input, select")) active.blur();
    else if (run.pod) run.selectPod(null);
    else if (run.node) run.selectNode(null);
  }
}

customElements.define("sp-layout", SpLayout);
