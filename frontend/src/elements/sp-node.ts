/** One node: what it has, who is on it, and who was refused here and why. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { Asked, nodeAnswerPath } from "../api/asked";
import type { NodeAnswer } from "../api/detail";
import { counted, exact, percent, podName, quantity, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { nodeEvents } from "../trace/node_events";
import type { NodeEvent } from "../trace/node_events";
import { answerView } from "./answer_view";
import { RunView, copyButton, emptyState, glyph, skeleton } from "./light";
import { RefusedHere } from "./refused_view";
import { styled } from "./styled";

const PODS_SHOWN = 100;
const EVENTS_SHOWN = 20;
const GLYPH_OF: Record<NodeEvent["kind"], GlyphName> = { came: "bound", left: "absent", evicted: "victim", promised: "assumed", changed: "changed" };
const WORDS_OF: Record<NodeEvent["kind"], string> = { came: "was bound here", left: "left", evicted: "was evicted", promised: "was promised this node", changed: "the node changed" };

class SpNode extends RunView {
  private readonly answers = new Asked<NodeAnswer>(() => this.requestUpdate());
  private readonly refused = new RefusedHere(() => this.requestUpdate());
  private events: { node: string; upTo: number; found: NodeEvent[] } = { node: "", upTo: 0, found: [] };

  protected override render(): unknown {
    const { run } = this;
    if (!run.node) return emptyState("No node selected", "Choose one on the map or in the table.");
    if (!run.model) return skeleton(4, "Reading the node");
    const node = run.store.words.nodes.find(run.node);
    const item = run.model.nodes[node];
    if (!item && run.desk?.difference.gone.includes(run.node)) return emptyState(`${run.node} is gone`, "An edit takes it away; undo brings it back.");
    if (!item) return emptyState(`There is no node ${run.node}`, "It may be spelt otherwise.");
    return html`<article class="node-story" aria-label=${run.node}>
      <header class="cycle-head">
        <h3><span class="name" title=${run.node}>${run.node}</span>${copyButton(run.node, "the name")}</h3>
        <span class="outcome">${item.unschedulable ? "is cordoned" : nothing}</span>
        <button type="button" class="close" aria-label="Deselect the node" title="Deselect (Esc)" @click=${() => run.selectNode(null)}>✕</button>
      </header>
      ${this.verdict()} ${this.resources(node)} ${this.tenants(node)} ${this.comings(run.node)} ${this.refused.view(run, run.node)}
      <dl class="facts wide">
        ${item.taints.length
          ? html`<div><dt>taints</dt><dd>${item.taints.map((taint) => html`<span class="mono">${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}</span> `)}</dd></div>`
          : nothing}
        <div><dt>labels</dt><dd class="mono labels">${Object.entries(item.labels).map(([key, value]) => html`<span>${key}=${value}</span> `)}</dd></div>
      </dl>
    </article>`;
  }

  /** What the painted cycle says of this node, with every plugin's numbers. */
  private verdict(): unknown {
    const { run } = this;
    const cycle = run.paintedCycle;
    if (!run.runId || !run.node || cycle < 1 || run.rushing || run.moving || !run.painted) return nothing;
    if (run.painted.under_way) return html`<p class="quiet-line">The playhead stands inside of cycle ${cycle}: what this node is to the pod is told at the cycle's end.</p>`;
    const path = nodeAnswerPath(run.runId, cycle, run.node);
    const pod = run.painted.pod;
    return html`<section class="node-verdict" aria-label="The pod and this node">
      <header class="sub"><h3><button type="button" class="link" @click=${() => run.selectPod(pod)}>${podName(pod)}</button> here, in cycle ${cycle}</h3></header>
      ${answerView(this.answers.want(path), () => this.answers.retry(path))}
    </section>`;
  }

  /** Who came, who went, who was promised the place, up to the playhead. */
  private comings(name: string): unknown {
    const { store } = this.run;
    const upTo = store.lastSeq;
    if (this.events.node !== name || this.events.upTo !== upTo) this.events = { node: name, upTo, found: nodeEvents(store, name) };
    const before = this.events.found.filter((event) => event.seq <= store.state.seq);
    if (before.length === 0) return nothing;
    const shown = before.slice(-EVENTS_SHOWN).reverse();
    return html`<section class="comings" aria-label="Who came and went">
      <header class="sub"><h3>Who came and went</h3></header>
      <ol>
        ${shown.map(
          (event) => html`<li>
            <span class="num quiet">${time(event.tUs)}</span> ${glyph(GLYPH_OF[event.kind])}
            ${event.pod ? html`<button type="button" class="link mono" @click=${() => this.run.selectPod(event.pod)}>${podName(event.pod)}</button> ` : nothing}<span>${WORDS_OF[event.kind]}</span>
            ${event.cycle ? html`<button type="button" class="link quiet" @click=${() => this.run.openCycle(event.cycle)}>cycle ${event.cycle}</button>` : nothing}
          </li>`,
        )}
      </ol>
      ${before.length > shown.length ? html`<p class="quiet-line">${counted(before.length - shown.length, "earlier event")}</p>` : nothing}
    </section>`;
  }

  private resources(node: number): TemplateResult {
    const { run } = this;
    const model = run.model!;
    const rows = model.resources
      .map((name) => ({ name, all: model.allocatableColumn(name)[node] ?? 0, used: model.used(name, run.store.state)[node] ?? 0 }))
      .filter((row) => row.all > 0 || row.used > 0);
    return html`<table class="resources">
      <thead>
        <tr><th scope="col">Resource</th><th scope="col" class="num">Requested</th><th scope="col" class="num">Allocatable</th><th scope="col" class="num">Free</th><th scope="col" class="meter-column"><span class="visually-hidden">Share</span></th></tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            <th scope="row">${row.name}</th>
            <td class="num" title=${exact(row.name, row.used)}>${quantity(row.name, row.used)}</td>
            <td class="num" title=${exact(row.name, row.all)}>${quantity(row.name, row.all)}</td>
            <td class="num" title=${exact(row.name, row.all - row.used)}><strong>${quantity(row.name, row.all - row.used)}</strong></td>
            <td class="meter-column"><span class="meter" title=${percent(row.used / (row.all || 1))}><i ${styled({ width: `${Math.min(100, (row.used / (row.all || 1)) * 100).toFixed(1)}%` })}></i></span></td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private tenants(node: number): TemplateResult {
    const { run } = this;
    const pods = run.model!.occupancy(run.store.state).on(node);
    const rest = pods.length - PODS_SHOWN;
    return html`<section class="tenants">
      <h3>${counted(pods.length, "pod")}</h3>
      <div class="member-list">
        ${Array.from(pods.slice(0, PODS_SHOWN), (pod) => {
          const key = run.store.words.pods.name(pod);
          return html`<button type="button" class="link mono" aria-pressed=${run.pod === key} @click=${() => run.selectPod(key)}>${podName(key)}</button>`;
        })}
        ${rest > 0 ? html`<span class="quiet">and ${rest} more</span>` : nothing}
      </div>
    </section>`;
  }
}

customElements.define("sp-node", SpNode);
