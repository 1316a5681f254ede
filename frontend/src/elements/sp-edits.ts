/** The stack of edits: each a sentence with a switch; what can be done next, and what becomes of it. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { readManifests, runWith } from "../api/plans";
import type { Edit } from "../api/plans";
import { ApiError, sentenceOf } from "../api/problem";
import type { FieldError } from "../api/types";
import { counted } from "../base/format";
import { keyMap } from "../base/keys";
import { workloadOf } from "../trace/workload";
import { nodeActions, podActions } from "./edit_actions";
import { editStackHead, editStackList } from "./edit_stack_view";
import { RunView, copyButton, emptyState, skeleton } from "./light";
import type { WhatIfDesk } from "./what_if_desk";

const QUESTIONS = [
  ["continue", "Place what is pending; bound pods stay"],
  ["replan", "Replan everything from nothing"],
] as const;

class SpEdits extends RunView {
  private yaml = "";
  private yamlErrors: FieldError[] = [];
  private starting = "";
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = keyMap.add(
      { keys: "ctrl+z", label: "undo", group: "What if", run: () => this.desk?.change((stack) => stack.undo()) },
      { keys: "ctrl+shift+z", label: "do again", group: "What if", run: () => this.desk?.change((stack) => stack.redo()) },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  private get desk(): WhatIfDesk | null {
    return this.run.desk;
  }

  protected override render(): unknown {
    const { desk, run } = this;
    if (!desk || !run.model) return skeleton(4, "Reading the cluster");
    return html`${editStackHead(desk)}
      ${this.question(desk)} ${this.stack(desk)} ${this.actions(desk)} ${this.written(desk)} ${this.onward(desk)}`;
  }

  private question(desk: WhatIfDesk): TemplateResult {
    return html`<label class="choice edits-question">
      <span>Question</span>
      <select @change=${(event: Event) => desk.askFor({ ask: (event.target as HTMLSelectElement).value as "continue" | "replan" })}>
        ${QUESTIONS.map(([ask, words]) => html`<option value=${ask} ?selected=${desk.ask.ask === ask}>${words}</option>`)}
        ${desk.ask.ask === "reschedule" ? html`<option value="reschedule" selected>Reschedule ${counted((desk.ask.pods ?? []).length, "pod")}</option>` : nothing}
      </select>
    </label>`;
  }

  private stack(desk: WhatIfDesk): unknown {
    if (desk.stack.entries.length === 0) return emptyState("No edits yet", "Select a node or a pod on the map, or apply YAML.");
    return editStackList(desk);
  }

  private actions(desk: WhatIfDesk): unknown {
    const { run } = this;
    const add = (...edits: Edit[]) => desk.change((stack) => stack.add(...edits));
    const node = run.node === null ? undefined : run.model!.nodes[run.store.words.nodes.find(run.node)];
    const pod = run.pod === null ? undefined : run.model!.pods[run.store.words.pods.find(run.pod)];
    return html`${node ? nodeActions(node, add) : nothing}
    ${pod ? podActions(pod, workloadOf(pod), () => desk.askFor({ ask: "reschedule", pods: [`${pod.namespace}/${pod.name}`] }), add) : nothing}`;
  }

  /** Any manifests as an edit: what kubectl apply would do. */
  private written(desk: WhatIfDesk): TemplateResult {
    const apply = async (event: SubmitEvent) => {
      event.preventDefault();
      try {
        const objects = await readManifests(this.yaml);
        desk.change((stack) => stack.add({ kind: "apply", objects }));
        this.yaml = "";
        this.yamlErrors = [];
      } catch (error) {
        this.yamlErrors = error instanceof ApiError && error.errors.length ? error.errors : [{ message: error instanceof ApiError ? error.message : "It could not be sent." }];
      }
      this.requestUpdate();
    };
    return html`<details class="edit-yaml">
      <summary>Apply YAML</summary>
      <form @submit=${apply}>
        <textarea class="mono" rows="8" required aria-label="Manifests to apply" placeholder="apiVersion: v1&#10;kind: Pod&#10;…" .value=${this.yaml} @input=${(event: Event) => (this.yaml = (event.target as HTMLTextAreaElement).value)}></textarea>
        ${this.yamlErrors.length
          ? html`<ul role="alert">${this.yamlErrors.map((error) => html`<li class="bad">${error.line ? `line ${error.line}: ` : ""}${sentenceOf(error)}</li>`)}</ul>`
          : nothing}
        <button class="button small">Apply</button>
      </form>
    </details>`;
  }

  private onward(desk: WhatIfDesk): TemplateResult {
    const start = async () => {
      try {
        const id = await runWith(this.run.clusterId, desk.stack.active, desk.ask);
        location.assign(`/runs/${id}/`);
      } catch (error) {
        this.starting = error instanceof ApiError ? error.message : "The run could not be started.";
        this.requestUpdate();
      }
    };
    return html`<footer class="edits-foot">
      <button type="button" class="button primary" ?disabled=${!!desk.problem} @click=${start} title="The whole run with these edits, cycle by cycle">Run it</button>
      <span class="quiet">Copy the address ${copyButton(location.href, "the address of this what-if")}</span>
      ${desk.took ? html`<span class="quiet num" title="From the edit to the answer">${Math.round(desk.took)} ms</span>` : nothing}
      ${this.starting ? html`<p class="bad" role="alert">${this.starting}</p>` : nothing}
    </footer>`;
  }
}

customElements.define("sp-edits", SpEdits);
