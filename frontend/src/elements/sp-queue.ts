/** The queues at the playhead, each in its order; a pod travels from one to the next. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TemplateResult } from "lit";
import { count, counted, left, podName, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { lanesOf } from "../trace/lanes";
import type { Lane } from "../trace/lanes";
import { PodState } from "../trace/pod_columns";
import { boundCounts } from "../trace/standing";
import { untriedOf } from "../trace/untried";
import { RunView, emptyState, glyph, skeleton } from "./light";
import { movesView, waitsView } from "./moves_view";
import { whyWaiting } from "./reasons";
import { term } from "./term";

const SHOWN = 12;
const MORE = 200;

const TITLES: Record<Lane["name"], string> = {
  flight: "In flight",
  active: "Active",
  backoff: "Backoff",
  unschedulable: "Unschedulable",
  gated: "Gated",
};
const NOTES: Record<Lane["name"], string> = {
  flight: "being scheduled or bound",
  active: "next in line, by priority, then arrival",
  backoff: "waiting out a delay after a failure",
  unschedulable: "waiting for an event that may help",
  gated: "held by a scheduling gate",
};

const TERMS: Record<Lane["name"], string> = {
  flight: "in flight",
  active: "activeQ",
  backoff: "backoffQ",
  unschedulable: "unschedulable pods",
  gated: "scheduling gates",
};

class SpQueue extends RunView {
  private readonly opened = new Set<Lane["name"]>();

  protected override render(): unknown {
    const { run } = this;
    if (run.problem) return nothing;
    if (!run.ready && run.store.lastSeq === 0) return skeleton(8, "Reading the queues");
    const { pods } = run.store.state;
    const lanes = lanesOf(run.store.state, (name) => (this.opened.has(name) ? MORE : SHOWN));
    const waiting = lanes.reduce((sum, lane) => sum + lane.count, 0);
    const untried = untriedOf(run.store, run.model).length;
    const { bound, lost } = boundCounts(run.model, run.store.state);
    const coming = pods.counts[PodState.ABSENT]! - untried;
    return html`
      ${this.rates()}
      ${run.moving || run.rushing ? nothing : movesView(run)}
      ${waiting === 0 ? this.nothingWaits(coming, untried) : lanes.map((lane) => this.lane(lane))}
      <p class="queue-foot">
        ${glyph("bound")} <span>${counted(bound, "pod")} bound</span>
        ${lost > 0 ? html`<span class="warn">${glyph("lost")} ${count(lost)} on lost nodes</span>` : nothing}
        ${pods.counts[PodState.FINISHED]! > 0 ? html`<span class="quiet">${glyph("finished")} ${count(pods.counts[PodState.FINISHED]!)} finished</span>` : nothing}
        ${coming > 0 ? html`<span class="quiet">${count(coming)} ${run.runId ? "still to come" : "pending"}</span>` : nothing}
        ${untried > 0 ? html`<span class="quiet">${count(untried)} not tried</span>` : nothing}
        ${pods.counts[PodState.DELETING]! > 0 ? html`<span class="quiet">${glyph("victim")} ${count(pods.counts[PodState.DELETING]!)} being deleted</span>` : nothing}
        ${pods.counts[PodState.GONE]! > 0 ? html`<span class="quiet">${glyph("victim")} ${count(pods.counts[PodState.GONE]!)} gone</span>` : nothing}
      </p>
    `;
  }

  private rates(): unknown {
    const { run } = this;
    if (!run.rushing) return nothing;
    return html`<p class="queue-rate"><strong>${count(run.rate.perSecond(performance.now()))}</strong> events/s</p>`;
  }

  private nothingWaits(coming: number, untried: number): TemplateResult {
    const { run } = this;
    if (run.store.lastSeq === 0 && run.ended) return emptyState("No events", "The run ended before its first one.");
    if (run.store.lastSeq === 0) return emptyState("No events yet", "The run has not begun; they appear here as they come.");
    if (coming > 0) return emptyState("Nothing waits yet", `${counted(coming, "pod")} still to come.`);
    if (untried > 0) return emptyState("Nothing is queued", `No profile has the schedulerName of ${counted(untried, "pod")}: no queue takes ${untried === 1 ? "it" : "them"}.`);
    return emptyState("Nothing waits", "Every pod that came has been placed.");
  }

  private lane(lane: Lane): unknown {
    if (lane.count === 0) return html`<section class="lane lane-none" data-lane=${lane.name}>${this.heading(lane)}</section>`;
    const rest = lane.count - lane.pods.length;
    return html`<section class="lane" data-lane=${lane.name}>
      ${this.heading(lane)}
      <ul>
        ${repeat(
          lane.pods,
          // While the playhead is drawn along, rows are written anew rather than moved about.
          (pod, place) => (this.run.moving ? place : pod),
          (pod) => this.pod(lane, pod),
        )}
      </ul>
      ${rest > 0 && !this.opened.has(lane.name)
        ? html`<button type="button" class="more" @click=${() => this.open(lane.name)}>${count(rest)} more</button>`
        : rest > 0
          ? html`<p class="more">and ${count(rest)} more, all in the table of pods</p>`
          : nothing}
    </section>`;
  }

  private open(name: Lane["name"]): void {
    this.opened.add(name);
    this.requestUpdate();
  }

  private heading(lane: Lane): TemplateResult {
    return html`<h3 title=${NOTES[lane.name]}>${term(TERMS[lane.name], TITLES[lane.name])} <span class="num">${count(lane.count)}</span></h3>`;
  }

  private pod(lane: Lane, pod: number): TemplateResult {
    const { run } = this;
    const key = run.store.words.pods.name(pod);
    const state = run.store.state.pods;
    const kind = glyphOf(lane.name, state.state[pod]!);
    return html`<li>
      <button
        type="button"
        class="pod-row"
        data-travel=${key}
        data-travel-label=${podName(key)}
        aria-pressed=${run.pod === key}
        title=${key}
        @click=${() => run.selectPod(run.pod === key ? null : key)}
      >
        ${glyph(kind, kind === "flight" ? "in a cycle" : TITLES[lane.name].toLowerCase())}
        ${this.name(key, podName(key))}
        ${this.aside(lane, pod)}
        ${lane.name === "unschedulable" || lane.name === "gated" ? this.why(pod) : nothing}
        ${lane.name === "unschedulable" && !run.moving ? waitsView(run, pod) : nothing}
      </button>
    </li>`;
  }

  private aside(lane: Lane, pod: number): unknown {
    const { state } = this.run.store;
    const { pods } = state;
    if (lane.name === "backoff") {
      const until = pods.backoffUntil[pod]!;
      return html`<span class="aside" title="until ${time(until)}">${until > state.tUs ? left(until - state.tUs) : "due"}</span>`;
    }
    if (lane.name === "flight" && pods.nodeOf(pod) >= 0) {
      return html`<span class="aside">→ ${this.run.store.words.nodes.name(pods.nodeOf(pod))}</span>`;
    }
    if (pods.priority[pod]!) return html`<span class="aside" title="priority">p ${count(pods.priority[pod]!)}</span>`;
    return nothing;
  }

  private why(pod: number): unknown {
    const { store } = this.run;
    const text = whyWaiting(store, store.state, pod);
    return text ? html`<span class="why" title=${text}>${text}</span>` : nothing;
  }
}

function glyphOf(lane: Lane["name"], state: number): GlyphName {
  if (lane !== "flight") return lane;
  return state === PodState.IN_FLIGHT ? "flight" : "assumed";
}

customElements.define("sp-queue", SpQueue);
