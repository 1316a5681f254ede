/** How many nodes of a kind are needed for what is pending; one click adds them. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { Question } from "../api/questions";
import type { Growth, PlanBody } from "../api/questions";
import type { NodeItem } from "../api/types";
import { counted, quantity } from "../base/format";
import { nodeKinds } from "../trace/node_kinds";
import { pendingOver } from "../trace/capacity_curve";
import { bodyOf, problemView, progressView, staleView } from "./asking_view";
import { curveView } from "./curve_view";
import { RunView, glyph } from "./light";

const LISTED = 5;

class SpGrowth extends RunView {
  private readonly question = new Question<Growth>(() => this.requestUpdate());
  private model = "";

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.question.stop();
  }

  private body(model: string): PlanBody {
    return bodyOf(this.run, { question: "growth", model });
  }

  protected override render(): unknown {
    const { question, run } = this;
    const kinds = nodeKinds(run.model?.nodes ?? []);
    const known = new Set(kinds.map(({ node }) => node.name));
    const model = known.has(this.model) ? this.model : (kinds[0]?.node.name ?? "");
    const ask = () => void question.ask(this.body(model));
    return html`<h3 id="growth-title">How many nodes are missing?</h3>
      ${kinds.length
        ? html`<label class="choice more-choice">
              <span>like</span>
              <select aria-label="A node of the kind to add" @change=${(event: Event) => (this.model = (event.target as HTMLSelectElement).value)}>
                ${kinds.map(({ node, nodes }) => html`<option value=${node.name} ?selected=${node.name === model}>${wordsOf(node, nodes)}</option>`)}
              </select>
            </label>
            <p><button type="button" class="button" ?disabled=${question.state === "asking"} @click=${ask}>How many are missing?</button></p>`
        : html`<p class="quiet">There is no node that new ones could be like.</p>`}
      <div aria-live="polite">${progressView(question)} ${problemView(question)} ${question.answer ? this.answer(question.answer, ask) : nothing}</div>`;
  }

  private answer(found: Growth, again: () => void): TemplateResult {
    const { nodes, model } = found;
    const add = () => this.run.desk?.change((stack) => stack.add(...found.edits));
    const isStale = this.question.isStale(this.body(model));
    const [what = "", ...rest] = nodes === null ? found.text.split(": ") : [found.text];
    const why = rest.join(": ");
    const most = Math.max(1, ...found.curve.map((point) => point.pending));
    return html`${staleView(this.question, this.body(model), again)}
      <p class="capacity-words">${glyph(nodes === null ? "refused" : "fits")} <span><strong>${what}</strong>${why ? html`<span class="quiet">: ${why}</span>` : nothing}</span></p>
      ${nodes ? html`<p><button type="button" class="button primary" ?disabled=${isStale} @click=${add}>Add ${counted(nodes, "node")}</button></p>` : nothing}
      ${nodes === null ? nothing : curveView([pendingOver(found)], { title: "Pods that stay pending, over the nodes added", along: "nodes added", top: most, words: (value) => String(Math.round(value)) })}
      ${nodes !== null && nodes > 0 && found.pending.length
        ? html`<ul class="places" aria-label="What stays pending">
              ${found.pending.slice(0, LISTED).map(({ pod, message }) => html`<li><button type="button" class="link mono" title=${message} @click=${() => this.run.selectPod(pod)}>${pod}</button></li>`)}
            </ul>
            ${found.pending.length > LISTED ? html`<p class="quiet">and ${counted(found.pending.length - LISTED, "more pod")}</p>` : nothing}`
        : nothing}`;
  }
}

function wordsOf(node: NodeItem, nodes: number): string {
  const size = ["cpu", "memory"].filter((name) => node.allocatable[name]).map((name) => (name === "cpu" ? `${quantity(name, node.allocatable[name]!)} cpu` : quantity(name, node.allocatable[name]!)));
  const taints = node.taints.length ? [node.taints.map((taint) => taint.key).join(", ")] : [];
  const more = nodes > 1 ? [`and ${nodes - 1} like it`] : [];
  return `${node.name} (${[...size, ...taints, ...more].join(", ")})`;
}

customElements.define("sp-growth", SpGrowth);
