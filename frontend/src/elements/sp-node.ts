/** One node: what it has, who is on it, and who was refused here and why. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { counted, exact, list, percent, podName, quantity } from "../base/format";
import { Occupancy } from "../trace/occupancy";
import { glyphOfRow, needText } from "../trace/verdicts";
import { RunView, copyButton, emptyState, glyph, skeleton } from "./light";
import { styled } from "./styled";

const PODS_SHOWN = 100;

class SpNode extends RunView {
  protected override render(): unknown {
    const { run } = this;
    if (!run.node) return emptyState("No node selected", "Choose one on the map or in the table.");
    if (!run.model) return skeleton(4, "Reading the node");
    const node = run.store.words.nodes.find(run.node);
    const item = run.model.nodes[node];
    if (!item) return emptyState(`There is no node ${run.node}`, "It may be spelt otherwise.");
    return html`<article class="node-story" aria-label=${run.node}>
      <header class="cycle-head">
        <h3><span class="name" title=${run.node}>${run.node}</span>${copyButton(run.node, "the name")}</h3>
        <span class="outcome">${item.unschedulable ? "is cordoned" : nothing}</span>
        <button type="button" class="close" aria-label="Deselect the node" title="Deselect (Esc)" @click=${() => run.selectNode(null)}>✕</button>
      </header>
      ${this.verdict()} ${this.resources(node)} ${this.tenants(node)}
      <dl class="facts wide">
        ${item.taints.length
          ? html`<div><dt>taints</dt><dd>${item.taints.map((taint) => html`<span class="mono">${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}</span> `)}</dd></div>`
          : nothing}
        <div><dt>labels</dt><dd class="mono labels">${Object.entries(item.labels).map(([key, value]) => html`<span>${key}=${value}</span> `)}</dd></div>
      </dl>
    </article>`;
  }

  /** What the painted cycle says of this node. */
  private verdict(): unknown {
    const { run } = this;
    const detail = run.painted;
    if (!detail || !run.node) return nothing;
    const row = detail.nodes.indexOf(run.node);
    if (row < 0) return nothing;
    const kind = glyphOfRow(detail, row);
    const status = detail.statuses[detail.outcome[row] ?? -2];
    const needs = status ? needText(detail, status.plugin, [row]) : [];
    const words = { chosen: "is chosen here", fits: "fits here", skipped: "was not tried here", refused: "is refused", final: "is refused for good" };
    return html`<p class="node-verdict">
      ${glyph(kind)}
      <span>
        <button type="button" class="link mono" @click=${() => run.selectPod(detail.pod)}>${podName(detail.pod)}</button>
        ${words[kind as keyof typeof words]}${status ? html` by ${status.plugin}: ${list(status.reasons)}` : nothing}
        ${needs.map((need) => html`<span class="need" title=${need.exact}>${need.text}</span>`)}
      </span>
    </p>`;
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
    const pods = new Occupancy(run.store.state, run.model!.numNodes).on(node);
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
