/** What would make a pending pod fit: the cheapest edits, each proven by a run; one click puts them on the stack. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { Question } from "../api/questions";
import type { PlanBody, Repair, Repairs } from "../api/questions";
import { count } from "../base/format";
import { podKey } from "../trace/cluster_model";
import { glyphOf, partsOf } from "../trace/repair_words";
import { bodyOf, problemView, progressView, staleView } from "./asking_view";
import { RunView, copyButton, emptyState, glyph, nameText, skeleton } from "./light";
import { pointAt } from "./pointing";

/** So many pending pods are offered while a name is typed. */
const OFFERED = 200;

class SpRepair extends RunView {
  private readonly question = new Question<Repairs>(() => this.requestUpdate());
  /** Whether the address asks: then the question is put as soon as there is something to ask about. */
  private wanted = new URLSearchParams(location.search).has("repair");
  private typed = "";
  private typedFor: string | null = null;
  private applied: Repair | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.question.stop();
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    const { run } = this;
    if (!this.wanted || !run.pod || !run.desk?.answer) return;
    this.wanted = false;
    this.ask(run.pod);
    this.scrollIntoView({ block: "nearest" });
  }

  private ask(pod: string): void {
    this.applied = null;
    void this.question.ask(this.body(pod));
  }

  private body(pod: string): PlanBody {
    return bodyOf(this.run, { question: "repairs", pod });
  }

  protected override render(): unknown {
    const { run, question } = this;
    if (!run.model) return skeleton(3, "Reading the cluster");
    if (this.typedFor !== run.pod) {
      this.typedFor = run.pod;
      if (run.pod && (this.wanted || this.isPending(run.pod))) this.typed = run.pod;
    }
    const { answer } = question;
    return html`<header class="edits-head"><h2 class="sheet-title">Repair</h2></header>
      ${this.form()}
      <div class="repair-answer" aria-live="polite">
        ${progressView(question)} ${problemView(question)} ${answer ? this.answer(answer) : nothing}
      </div>`;
  }

  private get pending(): string[] {
    return this.run.model!.pods.flatMap((pod) => (pod && !pod.node ? [podKey(pod)] : []));
  }

  private isPending(key: string): boolean {
    const pod = this.run.model!.pods[this.run.store.words.pods.find(key)];
    return pod !== undefined && !pod.node;
  }

  private form(): TemplateResult {
    const { pending } = this;
    if (pending.length === 0 && this.question.state === "idle" && !this.wanted) return emptyState("Nothing is pending", "Where a pod finds no node, what would make it fit is tried here.");
    const shown = pending.filter((key) => key.includes(this.typed) || this.typed === this.run.pod).slice(0, OFFERED);
    const send = (event: Event) => {
      event.preventDefault();
      if (!this.typed) return;
      if (this.isPending(this.typed)) this.run.selectPod(this.typed);
      this.ask(this.typed);
    };
    return html`<form class="repair-form" @submit=${send}>
      <label for="repair-pod">${pending.length === 1 ? "1 pod is pending" : `${count(pending.length)} pods are pending`}</label>
      <input
        id="repair-pod"
        class="mono"
        type="text"
        list="repair-pods"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder=${pending[0] ?? "namespace/name"}
        .value=${this.typed}
        @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value.trim())}
        @focus=${this.offerFirst}
      />
      <datalist id="repair-pods">${shown.map((key) => html`<option value=${key}></option>`)}</datalist>
      <button class="button small">What would make it fit?</button>
    </form>`;
  }

  /** An empty field is filled with the one that waits first: so asking is two keys. */
  private readonly offerFirst = (event: Event) => {
    const field = event.target as HTMLInputElement;
    if (this.typed || !this.pending.length) return;
    this.typed = this.pending[0]!;
    field.value = this.typed;
    field.select();
  };

  private answer(found: Repairs): TemplateResult {
    const { question } = this;
    const again = () => this.ask(found.pod);
    const isOver = question.state === "answered";
    return html`${this.applied ? nothing : staleView(question, this.body(found.pod), again)}
      <p class="repair-pod">${nameText(found.pod)}${copyButton(found.pod, "the name")}</p>
      ${found.message ? html`<p class="quiet repair-why">${found.message}</p>` : nothing}
      ${found.warning ? html`<p class="repair-none">${glyph("victim")} <span>${found.warning}</span></p>` : nothing}
      ${found.repairs.length ? html`<ol class="repairs" aria-label="What makes it fit">${found.repairs.map((repair) => this.repair(repair, found))}</ol>` : nothing}
      ${isOver && !found.repairs.length ? html`<p class="repair-none">${glyph("refused")} <span>${found.text}</span></p>` : nothing}
      ${found.in_the_way.length
        ? html`<h3 class="repair-title">What is in the way</h3>
            <ul class="obstacles">${found.in_the_way.map((one) => html`<li><strong>${KIND_WORDS[one.kind] ?? "Other"}</strong> <span>${one.text}</span></li>`)}</ul>`
        : nothing}
      ${found.note ? html`<p class="quiet repair-note">${found.note}</p>` : nothing}
      ${isOver && found.tried ? html`<p class="quiet repair-note num">${found.tried === 1 ? "1 set of edits was run" : `${count(found.tried)} sets of edits were run`}</p>` : nothing}`;
  }

  private repair(repair: Repair, found: Repairs): TemplateResult {
    const { what, then } = partsOf(repair.text, found.pod);
    const apply = () => {
      this.applied = repair;
      pointAt(this.run, []);
      this.run.desk?.change((stack) => stack.add(...repair.edits));
    };
    const done = this.applied === repair;
    const point = () => pointAt(this.run, [repair.node]);
    const away = () => pointAt(this.run, []);
    return html`<li class=${this.applied && !done ? "past" : ""} @pointerenter=${point} @pointerleave=${away} @focusin=${point} @focusout=${away}>
      ${glyph(glyphOf(repair))}
      <p><strong>${what}</strong><br /><span class="quiet">${then}</span></p>
      ${done
        ? html`<span class="quiet" role="status">On the stack</span>`
        : html`<button type="button" class="button small" ?disabled=${this.applied !== null} aria-label="Apply: ${what}" @click=${apply}>Apply</button>`}
    </li>`;
  }
}

const KIND_WORDS: Record<string, string> = { requests: "Lower requests", tolerations: "Tolerate", labels: "Relabel", evict: "Evict", node: "Add a node" };

customElements.define("sp-repair", SpRepair);
