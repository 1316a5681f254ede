/** One pod: where it is, its time line, why it is not on a node, and what would make it fit. */

import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { Asked, nodeAnswerPath } from "../api/asked";
import type { CycleDetail, MessagePart, NodeAnswer } from "../api/detail";
import { list, podName, quantity, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { entryOf, waitsFor } from "../trace/moves";
import { PodState } from "../trace/pod_columns";
import { podSpans } from "../trace/pod_story";
import type { Span } from "../trace/pod_story";
import { NO_PROFILE, isUntried } from "../trace/untried";
import { placeInWhatIf } from "../trace/what_if_words";
import { answerView, remediesView } from "./answer_view";
import { explanationView } from "./explain_view";
import { RunView, copyButton, emptyState, glyph, nameText, skeleton } from "./light";
import { messageView } from "./message_view";
import { numbersView } from "./numbers_view";
import { repairLink } from "./repair_link";
import { spansView } from "./spans_view";
import { freshView, reasonOf, showReason, verdictSection } from "./verdict_view";
import { ON_LOST_NODE, shownState } from "../trace/standing";
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
  [PodState.FINISHED]: { glyph: "finished", text: "has run to its end and takes nothing from its node" },
  [PodState.DELETING]: { glyph: "victim", text: "is being deleted: the scheduler skips it" },
  [ON_LOST_NODE]: { glyph: "lost", text: "is bound to a node that is lost: it is not ready, or gone" },
};
const WAITING = new Set<number>([PodState.BACKOFF, PodState.UNSCHEDULABLE, PodState.GATED]);
/** So many names of nodes are offered while one is typed. */
const OFFERED = 200;

class SpWhy extends RunView implements VerdictViewHost {
  view: VerdictViewState = freshView();
  private shown = "";
  private inSight: HTMLElement | null = null;
  private spans: { key: string; upTo: number; found: Span[] } = { key: "", upTo: 0, found: [] };
  private readonly answers = new Asked<NodeAnswer>(() => this.requestUpdate());

  redraw(): void {
    this.requestUpdate();
  }

  selectNode(name: string): void {
    this.run.selectNode(name);
  }

  get selectedNode(): string | null {
    return this.run.node;
  }

  showReason(part: MessagePart): void {
    showReason(this, part);
  }

  protected override render(): unknown {
    const { run } = this;
    if (!run.pod) return emptyState("No pod selected", "Choose one in the queue, on the map or in the table.");
    const pod = run.store.words.pods.find(run.pod);
    if (pod < 0) {
      if (!run.ready) return skeleton(4, "Reading the pod");
      return run.runId ? emptyState(`There is no pod ${run.pod} in this run`, "It may be spelt otherwise, or not have arrived yet.") : emptyState(`There is no pod ${run.pod}`, "It may be spelt otherwise.");
    }
    if (this.shown !== run.pod) {
      this.shown = run.pod;
      this.view = freshView();
    }
    return html`<article class="why-pod" aria-label=${run.pod}>
      ${this.head(pod)} ${this.facts(pod)} ${spansView(run, this.story(run.pod))} ${this.waitsFor(pod)} ${this.repair(pod)} ${this.answer(pod)}
    </article>`;
  }

  /** Keeps the span at the playhead in sight, without moving the page. */
  protected override updated(changes: PropertyValues): void {
    super.updated(changes);
    const here = this.querySelector<HTMLElement>(".span [aria-current]");
    if (here === this.inSight) return;
    this.inSight = here;
    const line = here?.closest<HTMLElement>(".spans");
    if (here && line) line.scrollLeft = here.offsetLeft - line.offsetLeft - (line.clientWidth - here.offsetWidth) / 2;
  }

  /** Read anew only when events came. */
  private story(key: string): Span[] {
    const upTo = this.run.store.lastSeq;
    if (this.spans.key !== key || this.spans.upTo !== upTo) this.spans = { key, upTo, found: podSpans(this.run.store, key) };
    return this.spans.found;
  }

  private head(pod: number): TemplateResult {
    const { run } = this;
    const { state, words } = run.store;
    const kind = STATES[shownState(this.run.model, state, pod)] ?? STATES[PodState.ABSENT]!;
    const node = state.pods.nodeOf(pod);
    return html`<header class="cycle-head">
      ${glyph(kind.glyph)}
      <h3>${nameText(run.pod ?? "", podName(run.pod ?? ""))}${copyButton(run.pod ?? "", "the name")}</h3>
      <span class="outcome">
        ${isUntried(run.store, run.model, pod) ? `is not tried: ${NO_PROFILE}` : run.runId || node >= 0 ? kind.text : "is pending"}
        ${node >= 0 ? html`on <button type="button" class="link mono" @click=${() => run.selectNode(words.nodes.name(node))}>${words.nodes.name(node)}</button>` : nothing}
        ${this.until(pod)}
      </span>
      <button type="button" class="close" aria-label="Deselect the pod" title="Deselect (Esc)" @click=${() => run.selectPod(null)}>✕</button>
    </header>`;
  }

  private until(pod: number): unknown {
    const { store } = this.run;
    const { pods } = store.state;
    const state = pods.state[pod]!;
    if (state === PodState.BACKOFF && pods.backoffUntil[pod]!) return html`<span class="quiet">until t ${time(pods.backoffUntil[pod]!)}</span>`;
    const plugins = entryOf(store, pod)?.plugins ?? [];
    return state === PodState.GATED && plugins.length ? html`<span class="quiet">by ${list(plugins)}</span>` : nothing;
  }

  /** The changes that may help it, by the plugins that refused it. */
  private waitsFor(pod: number): unknown {
    const { store } = this.run;
    const state = store.state.pods.state[pod]!;
    if (state !== PodState.UNSCHEDULABLE && state !== PodState.GATED) return nothing;
    const plugins = entryOf(store, pod)?.plugins ?? [];
    const rows = plugins.map((plugin) => ({ plugin, events: waitsFor(store, [plugin]) })).filter((row) => row.events.length);
    if (rows.length === 0) return nothing;
    return html`<section class="waits-for" aria-label="Waits for">
      <header class="sub"><h3>Waits for</h3></header>
      <ul>${rows.map((row) => html`<li><span class="mono">${row.plugin}</span> <span>${row.events.join(", ")}</span></li>`)}</ul>
    </section>`;
  }

  /** Where it has no node: the way to what would give it one. */
  private repair(pod: number): unknown {
    const { run } = this;
    const { pods } = run.store.state;
    const waits = run.runId ? WAITING.has(pods.state[pod]!) : pods.nodeOf(pod) < 0;
    return waits && run.pod ? html`<p class="why-repair">${repairLink(run, run.pod, "What would make it fit?")}</p>` : nothing;
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

  /** From its last cycle before the playhead: the sentences, then every node. */
  private answer(pod: number): unknown {
    const { run } = this;
    const cycle = run.store.cycles.lastOf(pod, run.store.state.seq);
    if (!cycle) return html`<p class="quiet-line">${run.runId ? this.unjudged(pod) : this.unrun(pod)}</p>`;
    const known = run.detailOf(cycle);
    if (!known || known.state === "loading") return skeleton(5, "Reading why");
    if (known.state === "failed") return html`<p class="bad">${known.message}</p>`;
    return this.verdicts(run.soFar(known.detail));
  }

  private unrun(pod: number): string {
    const { desk, model } = this.run;
    if (!desk) return "Run the cluster to see where it would go and why not elsewhere.";
    const item = model?.pods[pod];
    if (!item || !desk.answer) return "";
    return `${placeInWhatIf(desk.answer.changes, item)} “Run it” among the edits shows why, node by node.`;
  }

  private unjudged(pod: number): string {
    const { store, model } = this.run;
    const state = store.state.pods.state[pod]!;
    if (isUntried(store, model, pod)) return "No cycle looks at it: under this configuration it is another scheduler's.";
    if (state === PodState.GATED) return "A gated pod is not looked at until its gates are removed.";
    if (state === PodState.FINISHED) return "It had run to its end before the run began.";
    if (state === PodState.BOUND) return "It was bound before the run began.";
    if (state === PodState.DELETING) return "A pod that is being deleted is not looked at.";
    return "No cycle has looked at it yet.";
  }

  private verdicts(detail: CycleDetail): TemplateResult {
    const open = () => this.run.openCycle(detail.cycle);
    return html`<p class="from-cycle">Of <button type="button" class="link" @click=${open}>cycle ${detail.cycle}</button>, attempt ${detail.attempt}:</p>
      ${explanationView(detail, (node) => this.run.selectNode(node))} ${remediesView(detail.remedies)} ${this.whyNot(detail)}
      ${verdictSection(detail, this, detail.result === "unschedulable" || detail.result === "error" ? "Why not, node by node" : "Node by node")} ${numbersView(detail)} ${messageView(detail, reasonOf(this.run, detail), this)}`;
  }

  private whyNot(detail: CycleDetail): unknown {
    const { runId } = this.run;
    if (!runId || detail.nodes.length === 0 || detail.under_way) return nothing;
    const asked = this.run.view("ask") ?? this.run.node ?? detail.node ?? "";
    const path = nodeAnswerPath(runId, detail.cycle, asked);
    const ask = (event: Event) => {
      event.preventDefault();
      const field = this.querySelector<HTMLInputElement>(".why-not input");
      this.run.setView({ ask: field?.value.trim() || null }, true);
    };
    const typed = asked.toLowerCase();
    const offered = detail.nodes.length <= OFFERED ? detail.nodes : detail.nodes.filter((name) => name.toLowerCase().includes(typed)).slice(0, OFFERED);
    return html`<section class="why-not" aria-label="Why not a node">
      <form class="sub" @submit=${ask}>
        <label for="why-not-node">${detail.node === null ? "Why not" : "Why, or why not"}</label>
        <input id="why-not-node" type="text" list="why-not-nodes" placeholder="name of a node" autocomplete="off" spellcheck="false" .value=${asked} @change=${ask} />
        <datalist id="why-not-nodes">${offered.map((name) => html`<option value=${name}></option>`)}</datalist>
        <button type="submit" class="button small">Ask</button>
      </form>
      ${asked ? answerView(this.answers.want(path), () => this.answers.retry(path)) : nothing}
    </section>`;
  }
}

customElements.define("sp-why", SpWhy);
