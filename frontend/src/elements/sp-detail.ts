/** The drawer below the map: the cycle at the playhead, the selected pod, the selected node. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { counted, podName } from "../base/format";
import { RunView, nameText } from "./light";
import type { Tab } from "./tabs";

class SpDetail extends RunView {
  protected override render(): unknown {
    const { run } = this;
    const hasRun = run.runId !== null && run.runId !== undefined;
    const tabs: [Tab, string, string][] = [];
    if (hasRun) tabs.push(["cycle", "Cycle", run.subject ? String(run.subject) : ""]);
    tabs.push(["pod", "Pod", run.pod ? podName(run.pod) : ""], ["node", "Node", run.node ?? ""]);
    const tab = !hasRun && run.tab === "cycle" ? (run.node ? "node" : "pod") : run.tab;
    return html`
      <h2 class="visually-hidden">Details</h2>
      ${this.toChange()}
      <div class="tabs" role="tablist" aria-label="Details" @keydown=${this.walk}>${tabs.map((one) => this.tabButton(one, tab))}</div>
      <div class="tab-panel" role="tabpanel" id="detail-panel" tabindex="-1" aria-label=${tab}>${panel(tab)}</div>
    `;
  }

  /** On the what-if page, where the panel that changes what is selected stands out of sight: the way there. */
  private toChange(): unknown {
    const { desk, node, pod, tab } = this.run;
    const names = desk ? desk.selection.size : 0;
    const shown = pod !== null && (tab === "pod" || node === null) ? podName(pod) : node;
    if (!desk || (!names && shown === null)) return nothing;
    return html`<p class="to-change"><button type="button" class="button primary" @click=${goToChange}>Change ${names ? counted(names, "selected object") : shown} <span aria-hidden="true">↓</span></button></p>`;
  }

  private tabButton([name, title, what]: [Tab, string, string], chosen: Tab): TemplateResult {
    return html`<button
      type="button"
      role="tab"
      aria-controls="detail-panel"
      aria-selected=${name === chosen}
      tabindex=${name === chosen ? 0 : -1}
      @click=${() => this.run.showTab(name)}
    >
      ${title} ${what ? nameText(what) : ""}
    </button>`;
  }

  private readonly walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...this.querySelectorAll<HTMLElement>("[role=tab]")];
    const next = tabs[(tabs.indexOf(event.target as HTMLElement) + step + tabs.length) % tabs.length];
    event.preventDefault();
    next?.click();
    next?.focus();
  };
}

function goToChange(): void {
  const panel = document.getElementById("change");
  panel?.focus({ preventScroll: true });
  panel?.scrollIntoView({ block: "start" });
}

function panel(tab: Tab): TemplateResult {
  if (tab === "pod") return html`<sp-why></sp-why>`;
  if (tab === "node") return html`<sp-node></sp-node>`;
  return html`<sp-cycle></sp-cycle>`;
}

customElements.define("sp-detail", SpDetail);
