/** The verdict of a what-if, on top of the page: how many pods are newly pending, rescued, moved, and which. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { sentenceOf } from "../api/problem";
import { count, counted, podName, reasonOf } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { isPending } from "../trace/cluster_model";
import { RunView, glyph } from "./light";
import { WhatIfDesk } from "./what_if_desk";

const SHOWN = 3;
/** Of a list that stands alone: it has the whole width. */
const SHOWN_ALONE = 12;
const MORE = 200;

interface Line {
  name: string;
  words: string;
  title: string;
}

class SpWhatIf extends RunView {
  private asked = false;
  private opened = "";
  private most = SHOWN;

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
      ${desk.unread ? html`<p class="bad">${desk.unread}</p>` : nothing} ${this.absent(desk)}
      ${this.progress(desk)} ${desk.problem ? this.problem(desk) : nothing}
      ${desk.isOutdated ? html`<p class="bad">The cluster was changed meanwhile: the answer is about its newest revision. <a href="">Load it</a></p>` : nothing}
      ${desk.answer?.changes.stopped ? html`<p class="quiet">${desk.answer.changes.stopped}</p>` : nothing}
      ${desk.answer && !desk.problem ? this.lists(desk) : nothing}
    </section>`;
  }

  private words(desk: WhatIfDesk): unknown {
    if (desk.problem) return "This cannot be answered";
    if (!desk.answer) return "Placing what is pending";
    const { changes } = desk.answer;
    if (desk.stack.active.length === 0 && desk.ask.ask === "continue") {
      const pending = (this.run.model?.pods ?? []).filter((pod) => pod && isPending(pod)).length;
      return `Nothing is changed yet${pending ? `: ${counted(pending, "pod")} ${pending === 1 ? "stays" : "stay"} pending` : ""}`;
    }
    const parts: [GlyphName, number, string][] = [
      ["unschedulable", changes.newly_pending.length, "newly pending"],
      ["bound", changes.rescued.length, "rescued"],
      ["changed", changes.moved.length, "moved"],
      ["came", changes.new.length, "new"],
      ["left", changes.gone.length, "gone"],
    ];
    const said = parts.filter(([, number]) => number > 0);
    const refused = changes.refused.length;
    if (said.length === 0) return refused ? `Nothing changes: ${counted(refused, "edit")} ${refused === 1 ? "is" : "are"} refused` : changes.text;
    return said.map(([name, number, word], at) => html`${at ? ", " : ""}<span class="what-if-part v-${name}">${count(number)} ${word}</span>`);
  }

  /** What the address names and is not there, once the edits were looked at: they may bring it, or have taken it away. */
  private absent(desk: WhatIfDesk): unknown {
    const { model, node, pod, store } = this.run;
    if (!model || !desk.answer) return nothing;
    const missing = [
      node !== null && !model.nodes[store.words.nodes.find(node)] && !desk.difference.gone.includes(node) ? `There is no node ${node} in this cluster.` : "",
      pod !== null && !model.pods[store.words.pods.find(pod)] && !desk.answer.changes.gone.includes(pod) ? `There is no pod ${pod} in this cluster.` : "",
    ].filter(Boolean);
    return missing.length ? html`<p class="bad">${missing.join(" ")}</p>` : nothing;
  }

  /** How far an answer is that takes long, with a way to stop it. */
  private progress(desk: WhatIfDesk): unknown {
    const { job } = desk;
    if (!job) return nothing;
    return html`<p class="what-if-progress"><progress></progress> <span>${job.progress.text || "Working"}</span> <button type="button" class="button small" @click=${() => void desk.cancel()}>Stop</button></p>`;
  }

  private problem(desk: WhatIfDesk): TemplateResult {
    const loose = desk.errors.filter((error) => !error.field?.startsWith("edits["));
    return html`<p class="bad">${desk.errors.length ? "An edit below says why." : desk.problem} <button type="button" class="button small" @click=${() => void desk.evaluate()}>Try again</button></p>
      ${loose.length ? html`<ul>${loose.map((error) => html`<li class="bad">${sentenceOf(error)}</li>`)}</ul>` : nothing}`;
  }

  private lists(desk: WhatIfDesk): unknown {
    const { changes } = desk.answer!;
    const { difference, selection } = desk;
    const pod = (name: string, words: string, title = words): Line => ({ name, words, title });
    const lengths = [changes.newly_pending, changes.rescued, changes.moved, changes.new, changes.gone, [...difference.gone, ...difference.changed]];
    this.most = lengths.filter((each) => each.length).length > 1 ? SHOWN : SHOWN_ALONE;
    const podLists = [
      this.list("unschedulable", "Newly pending", changes.newly_pending.map((one) => pod(one.pod, reasonOf(one.message), one.message))),
      this.list("bound", "Rescued", changes.rescued.map((one) => pod(one.pod, `→ ${one.node}`))),
      this.list("changed", "Moved", changes.moved.map((one) => pod(one.instead || one.pod, `${one.before} → ${one.after}`, one.instead ? `in place of ${one.pod}` : `${one.before} → ${one.after}`))),
      this.list("came", "New", changes.new.map((one) => pod(one.pod, `→ ${one.node}`))),
      this.list("left", "Gone", changes.gone.map((name) => pod(name, desk.difference.from.has(name) ? `was on ${desk.difference.from.get(name)}` : ""))),
    ];
    const nodes = [...difference.gone.map((name) => pod(name, "gone")), ...difference.changed.map((one) => pod(one.node, one.words))];
    const nodeList = this.list("changed", "Nodes", nodes, (name) => this.run.selectNode(name));
    const lists = [...podLists, nodeList];
    return lists.some((each) => each !== nothing) ? html`<div class="what-if-lists" data-selected=${selection.size}>${lists}</div>` : nothing;
  }

  private list(name: GlyphName, title: string, lines: readonly Line[], open = (pod: string) => this.run.selectPod(pod)): unknown {
    if (lines.length === 0) return nothing;
    const isOpen = this.opened === title;
    const shown = lines.slice(0, isOpen ? MORE : this.most);
    const toggle = () => {
      this.opened = isOpen ? "" : title;
      this.requestUpdate();
    };
    return html`<section aria-label=${title}>
      <h2 class="what-if-title">${glyph(name)} ${title} <span class="quiet num">${count(lines.length)}</span></h2>
      <ul>
        ${shown.map(
          (line) => html`<li>
            <button type="button" class="link mono" @click=${() => open(line.name)} title=${line.name}>${podName(line.name)}</button> <span class="quiet" title=${line.title}>${line.words}</span>
          </li>`,
        )}
      </ul>
      ${lines.length > this.most ? html`<button type="button" class="link quiet" aria-expanded=${isOpen} @click=${toggle}>${isOpen ? "fewer" : `and ${counted(lines.length - this.most, "more", "more")}`}</button>` : nothing}
      ${isOpen && lines.length > MORE ? html`<p class="quiet-line">The table below has all of them.</p>` : nothing}
    </section>`;
  }
}

customElements.define("sp-what-if", SpWhatIf);
