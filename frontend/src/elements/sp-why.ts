/** One pod: where it is, its attempts, and, while it waits, why – node by node. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { CycleDetail } from "../api/types";
import { counted, list, podName, quantity, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { PodState } from "../trace/pod_columns";
import { verdictTable } from "../trace/verdicts";
import { explanationView, messageView } from "./explain_view";
import { RunView, copyButton, emptyState, glyph, nameText, skeleton } from "./light";
import { glyphOfCycle, wordOfCycle } from "./sp-cycles";
import { verdictView } from "./verdict_view";
import type { VerdictViewHost, VerdictViewState } from "./verdict_view";

const STATES: Record<number, { glyph: GlyphName; text: string }> = {
  [PodState.ABSENT]: { glyph: "absent", text: "has not arrived yet" },
  [PodState.ACTIVE]: { glyph: "active", text: "waits in the active queue" },
  [PodState.BACKOFF]: { glyph: "backoff", text: "waits out its backoff" },
  [PodState.UNSCHEDULABLE]: { glyph: "unschedulable", text: "is unschedulable" },
  [PodState.GATED]: { glyph: "gated", text: "is held by a scheduling gate" },
  [PodState.IN_FLIGHT]: { glyph: "flight", text: "is being scheduled" },
  [PodState.WAITING]: { glyph: "assumed", text: "waits for a permit" },
  [PodState.ASSUMED]: { glyph: "assumed", text: "is being bound" },
  [PodState.BOUND]: { glyph: "bound", text: "is bound" },
  [PodState.GONE]: { glyph: "victim", text: "is gone" },
};
const ATTEMPTS_SHOWN = 24;

class SpWhy extends RunView implements VerdictViewHost {
  view: VerdictViewState = { mode: "first", opened: new Set(), inspected: "" };
  private shown = "";

  redraw(): void {
    this.requestUpdate();
  }

  selectNode(name: string): void {
    this.run.selectNode(name);
  }

  get selectedNode(): string | null {
    return this.run.node;
  }

  protected override render(): unknown {
    const { run } = this;
    if (!run.pod) return emptyState("No pod selected", "Choose one in the queue, on the map or in the table.");
    const pod = run.store.words.pods.find(run.pod);
    if (pod < 0) {
      if (!run.ready) return skeleton(4, "Reading the pod");
      return emptyState(`There is no pod ${run.pod} in this run`, "It may be spelt otherwise, or not have arrived yet.");
    }
    if (this.shown !== run.pod) {
      this.shown = run.pod;
      this.view = { mode: "first", opened: new Set(), inspected: "" };
    }
    return html`<article class="why-pod" aria-label=${run.pod}>
      ${this.head(pod)} ${this.facts(pod)} ${this.attempts(pod)} ${this.answer(pod)}
    </article>`;
  }

  private head(pod: number): TemplateResult {
    const { run } = this;
    const { state, words } = run.store;
    const kind = STATES[state.pods.state[pod]!] ?? STATES[PodState.ABSENT]!;
    const node = state.pods.nodeOf(pod);
    return html`<header class="cycle-head">
      ${glyph(kind.glyph)}
      <h3>${nameText(run.pod ?? "", podName(run.pod ?? ""))}${copyButton(run.pod ?? "", "the name")}</h3>
      <span class="outcome">
        ${run.runId || node >= 0 ? kind.text : "is pending"}
        ${node >= 0 ? html`on <button type="button" class="link mono" @click=${() => run.selectNode(words.nodes.name(node))}>${words.nodes.name(node)}</button>` : nothing}
        ${this.waits(pod)}
      </span>
      <button type="button" class="close" aria-label="Deselect the pod" title="Deselect (Esc)" @click=${() => run.selectPod(null)}>✕</button>
    </header>`;
  }

  private waits(pod: number): unknown {
    const { store } = this.run;
    const { pods } = store.state;
    const state = pods.state[pod]!;
    if (state === PodState.BACKOFF && pods.backoffUntil[pod]!) return html`<span class="quiet">until t ${time(pods.backoffUntil[pod]!)}</span>`;
    const entered = store.event(pods.entered[pod]!);
    if (entered?.type !== "PodEnqueued" || !entered.plugins?.length) return nothing;
    if (state === PodState.GATED) return html`<span class="quiet">by ${list(entered.plugins)}</span>`;
    if (state === PodState.UNSCHEDULABLE) return html`<span class="quiet">until something changes that ${list(entered.plugins)} would look at again</span>`;
    return nothing;
  }

  private facts(pod: number): unknown {
    const item = this.run.model?.pods[pod];
    if (!item) return nothing;
    const requests = Object.entries(item.requests).filter(([, amount]) => amount > 0);
    return html`<dl class="facts">
      ${requests.length === 0 ? html`<div><dt>asks for</dt><dd>nothing</dd></div>` : nothing}
      ${requests.map(([name, amount]) => html`<div><dt>${name}</dt><dd>${quantity(name, amount)}</dd></div>`)}
      <div><dt>priority</dt><dd>${item.priority ?? 0}</dd></div>
      ${item.owner ? html`<div><dt>owner</dt><dd title=${item.owner}>${item.owner}</dd></div>` : nothing}
    </dl>`;
  }

  private attempts(pod: number): unknown {
    const { store } = this.run;
    const cycles = store.cycles.ofPod(pod);
    if (cycles.length === 0) return nothing;
    const hidden = cycles.length - ATTEMPTS_SHOWN;
    return html`<ol class="attempts" aria-label=${counted(cycles.length, "attempt")}>
      ${hidden > 0 ? html`<li class="quiet">${hidden} earlier</li>` : nothing}
      ${cycles.slice(-ATTEMPTS_SHOWN).map((cycle) => {
        const row = store.cycles.row(cycle)!;
        const later = row.firstSeq > store.state.seq;
        return html`<li>
          <button type="button" class="attempt ${later ? "later" : ""}" aria-current=${store.cycle === cycle ? "step" : nothing} title=${row.message || wordOfCycle(row)} @click=${() => this.run.openCycle(cycle)}>
            ${glyph(glyphOfCycle(row), wordOfCycle(row))} attempt ${row.attempt} <span class="quiet">cycle ${cycle}</span>
          </button>
        </li>`;
      })}
    </ol>`;
  }

  /** From its last cycle before the playhead: the sentences, then every node. */
  private answer(pod: number): unknown {
    const { run } = this;
    const cycle = run.store.cycles.lastOf(pod, run.store.state.seq);
    if (!cycle) return run.runId ? html`<p class="quiet-line">${this.unjudged(pod)}</p>` : html`<p class="quiet-line">Run the cluster to see where it would go and why not elsewhere.</p>`;
    const known = run.detailOf(cycle);
    if (!known || known.state === "loading") return skeleton(5, "Reading why");
    if (known.state === "failed") return html`<p class="bad">${known.message}</p>`;
    return this.verdicts(known.detail);
  }

  private unjudged(pod: number): string {
    const state = this.run.store.state.pods.state[pod]!;
    if (state === PodState.GATED) return "A gated pod is not looked at until its gates are removed.";
    if (state === PodState.BOUND) return "It was bound before the run began.";
    return "No cycle has looked at it yet.";
  }

  private verdicts(detail: CycleDetail): TemplateResult {
    return html`${explanationView(detail, (node) => this.run.selectNode(node))}
      <section class="filters" aria-label="Why, node by node">
        <header class="sub">
          <h3>${detail.result === "scheduled" ? "Node by node" : "Why not, node by node"}</h3>
          <span class="inspected" aria-live="polite">${this.view.inspected}</span>
        </header>
        ${verdictView(detail, verdictTable(detail, this.view.mode), this)}
      </section>
      ${messageView(detail.message)}`;
  }
}

customElements.define("sp-why", SpWhy);
