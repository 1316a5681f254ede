/** The verdict of a what-if, on top of the page: how many pods are newly pending, rescued, moved, and which. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { sentenceOf } from "../api/problem";
import { counted, podName } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { RunView, glyph } from "./light";
import { WhatIfDesk } from "./what_if_desk";

const SHOWN = 8;
const ENDED = new Set(["Succeeded", "Failed"]);

interface Line {
  pod: string;
  words: string;
}

class SpWhatIf extends RunView {
  private asked = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.run.desk = new WhatIfDesk(this.run);
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    if (this.asked || !this.run.model) return;
    this.asked = true;
    void this.run.desk!.evaluate();
  }

  protected override render(): unknown {
    const { desk } = this.run;
    if (!desk) return nothing;
    return html`<section class="what-if-verdict ${desk.busy ? "asking" : ""}" aria-label="What changes" aria-live="polite" aria-busy=${desk.busy}>
      <p class="what-if-words">${glyph("changed")} <strong>${this.words(desk)}</strong></p>
      ${desk.problem ? this.problem(desk) : nothing}
      ${desk.answer?.changes.stopped ? html`<p class="quiet">${desk.answer.changes.stopped}</p>` : nothing}
      <div class="what-if-lists">${desk.problem ? nothing : this.lists(desk)}</div>
    </section>`;
  }

  private words(desk: WhatIfDesk): string {
    if (desk.problem) return "This cannot be done";
    if (!desk.answer) return "Placing what is pending";
    if (desk.stack.active.length || desk.ask.ask !== "continue") return desk.answer.changes.text;
    const pending = (this.run.model?.pods ?? []).filter((pod) => pod && !pod.node && !ENDED.has(pod.phase)).length;
    return `Nothing is changed yet${pending ? `: ${counted(pending, "pod")} ${pending === 1 ? "stays" : "stay"} pending` : ""}`;
  }

  private problem(desk: WhatIfDesk): TemplateResult {
    const loose = desk.errors.filter((error) => !error.field?.startsWith("edits["));
    return html`<p class="bad">${desk.errors.length ? nothing : desk.problem}</p>
      ${loose.length ? html`<ul>${loose.map((error) => html`<li class="bad">${sentenceOf(error)}</li>`)}</ul>` : nothing}`;
  }

  private lists(desk: WhatIfDesk): unknown {
    const changes = desk.answer?.changes;
    if (!changes) return nothing;
    return [
      this.list("unschedulable", "Newly pending", changes.newly_pending.map(({ pod, message }) => ({ pod, words: message }))),
      this.list("bound", "Rescued", changes.rescued.map(({ pod, node }) => ({ pod, words: `→ ${node}` }))),
      this.list("changed", "Moved", changes.moved.map(({ pod, before, after }) => ({ pod, words: `${before} → ${after}` }))),
      this.list("assumed", "New", changes.new.map(({ pod, node }) => ({ pod, words: `→ ${node}` }))),
      this.list("victim", "Gone", changes.gone.map((pod) => ({ pod, words: "" }))),
    ];
  }

  private list(name: GlyphName, title: string, lines: readonly Line[]): unknown {
    if (lines.length === 0) return nothing;
    return html`<section aria-label=${title}>
      <h2 class="what-if-title">${glyph(name)} ${title} <span class="quiet num">${lines.length}</span></h2>
      <ul>
        ${lines.slice(0, SHOWN).map(
          ({ pod, words }) => html`<li>
            <button type="button" class="link mono" @click=${() => this.run.selectPod(pod)} title=${pod}>${podName(pod)}</button> <span class="quiet" title=${words}>${words}</span>
          </li>`,
        )}
      </ul>
      ${lines.length > SHOWN ? html`<p class="quiet-line">and ${counted(lines.length - SHOWN, "more pod")}</p>` : nothing}
    </section>`;
  }
}

customElements.define("sp-what-if", SpWhatIf);
