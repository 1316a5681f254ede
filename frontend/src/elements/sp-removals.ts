/** Which nodes could go without anything pending; a click drains or removes them in the stack. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import { Question } from "../api/questions";
import type { NodeRemoval, PlanBody, Removals } from "../api/questions";
import { counted } from "../base/format";
import { bodyOf, problemView, progressView, staleView } from "./asking_view";
import { RunView, glyph } from "./light";
import { pointAt } from "./pointing";

const LISTED = 10;

class SpRemovals extends RunView {
  private readonly question = new Question<Removals>(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.question.stop();
  }

  private get body(): PlanBody {
    return bodyOf(this.run, { question: "removals" });
  }

  protected override render(): unknown {
    const { question } = this;
    const ask = () => void question.ask(this.body);
    return html`<h3 id="removals-title">Which nodes could go?</h3>
      <p class="quiet">Drained, as budgets allow, without any pod pending or gone after it.</p>
      <p><button type="button" class="button" ?disabled=${question.state === "asking"} @click=${ask}>Which could go?</button></p>
      <div aria-live="polite">${progressView(question)} ${problemView(question)} ${staleView(question, this.body, ask)} ${question.answer ? this.answer(question.answer) : nothing}</div>`;
  }

  private answer(found: Removals): TemplateResult {
    const { together } = found;
    const stay = found.nodes.filter((one) => !one.can_go);
    const alone = found.nodes.filter((one) => one.can_go && !together.includes(one.node));
    return html`<p class="capacity-words">${glyph(together.length ? "fits" : "refused")} <strong>${found.text}</strong></p>
      ${together.length > 1
        ? html`<div class="removal-all" @pointerenter=${() => pointAt(this.run, together)} @pointerleave=${this.away} @focusin=${() => pointAt(this.run, together)} @focusout=${this.away}>
            ${this.buttons(together, `all ${together.length}`)}
          </div>`
        : nothing}
      ${together.length ? this.list(together.length > 1 ? "These could go together" : "This could go", together) : nothing}
      ${alone.length ? html`<details><summary>${counted(alone.length, "more could", "more could")} go alone</summary>${this.list("Could go alone", alone.map((one) => one.node))}</details>` : nothing}
      ${stay.length ? html`<details><summary>${counted(stay.length, "node has", "nodes have")} to stay</summary><ul class="places stays">${stay.slice(0, 5 * LISTED).map((one) => this.stays(one))}</ul></details>` : nothing}`;
  }

  private readonly away = () => pointAt(this.run, []);

  private podsOf(node: string): number {
    const id = this.run.store.words.nodes.find(node);
    const { pods } = this.run.store.state;
    let number = 0;
    for (let pod = 0; pod < this.run.store.words.pods.size; pod += 1) if (pods.nodeOf(pod) === id) number += 1;
    return number;
  }

  private list(label: string, rows: readonly string[]): TemplateResult {
    return html`<ul class="places" aria-label=${label}>
        ${rows.slice(0, LISTED).map((node) => {
          const point = () => pointAt(this.run, [node]);
          return html`<li @pointerenter=${point} @pointerleave=${this.away} @focusin=${point} @focusout=${this.away}>
            <button type="button" class="link mono" title=${node} @click=${() => this.run.selectNode(node)}>${node}</button>
            <span class="quiet num">${counted(this.podsOf(node), "pod")}</span>
            ${this.buttons([node], node)}
          </li>`;
        })}
      </ul>
      ${rows.length > LISTED ? html`<p class="quiet">and ${counted(rows.length - LISTED, "more node")}</p>` : nothing}`;
  }

  private stays(one: NodeRemoval): TemplateResult {
    const [pod] = one.newly_pending;
    const why = one.held_by ? `held: ${one.held_by}` : pod ? `${pod.pod} would stay pending: ${pod.message}` : `${one.evicted[0] ?? "a pod"} would be gone`;
    const like = one.like.length ? ` and ${one.like.length} like it` : "";
    return html`<li><span class="mono">${one.node}</span>${like} <span class="quiet" title=${why}>${why}</span></li>`;
  }

  private buttons(nodes: readonly string[], what: string): TemplateResult {
    const at = this.question.answer?.at;
    const change = (edit: Edit) => {
      pointAt(this.run, []);
      this.run.desk?.change((stack) => stack.add(at ? { ...edit, at } : edit));
    };
    const isStale = this.question.isStale(this.body);
    return html`<span class="removal-buttons">
      <button type="button" class="button small" ?disabled=${isStale} aria-label="Drain ${what}" title="Cordon and evict, as kubectl drain does" @click=${() => change({ kind: "drain", nodes: [...nodes] })}>Drain${nodes.length > 1 ? " all" : ""}</button>
      <button type="button" class="button small" ?disabled=${isStale} aria-label="Remove ${what}" title="Delete the node without asking budgets; its pods go with it" @click=${() => change({ kind: "removeNodes", nodes: [...nodes] })}>Remove${nodes.length > 1 ? " all" : ""}</button>
    </span>`;
  }
}

customElements.define("sp-removals", SpRemovals);
