/** The stack of edits and the question; what else can be put on it, and what becomes of it. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { runWith } from "../api/plans";
import type { Ask } from "../api/plans";
import { ApiError } from "../api/problem";
import { keepScenario, scenarios } from "../api/scenarios";
import type { ScenarioItem } from "../api/scenarios";
import { keyMap } from "../base/keys";
import { DURATION, durationOf, editLine } from "./edit_forms";
import type { Values } from "./edit_forms";
import { editStackHead, editStackList } from "./edit_stack_view";
import { RunView, copyButton, emptyState, skeleton } from "./light";
import { NEW_NODE, NEW_POD } from "./new_objects";
import { askedList } from "./selection_actions";
import type { WhatIfDesk } from "./what_if_desk";

const QUESTIONS: readonly (readonly [Ask["ask"], string])[] = [
  ["continue", "Place what is pending; bound pods stay"],
  ["replan", "Replan everything from nothing"],
];

class SpEdits extends RunView {
  private said = "";
  private kept: ScenarioItem[] | null = null;
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = keyMap.add(
      { keys: "ctrl+z", label: "undo", group: "What if", run: () => this.desk?.change((stack) => stack.undo()) },
      { keys: "ctrl+shift+z", label: "do again", group: "What if", run: () => this.desk?.change((stack) => stack.redo()) },
      { keys: "y", label: "apply YAML", group: "What if", run: () => this.desk?.editor.manifests() },
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
    return html`${editStackHead(desk)} ${this.question(desk)}
      ${desk.stack.entries.length ? editStackList(desk) : emptyState("No edits yet", "Choose a node or a pod, or write one.")}
      ${this.more(desk)} ${this.onward(desk)}`;
  }

  private question(desk: WhatIfDesk): TemplateResult {
    const { ask } = desk;
    return html`<label class="choice edits-question">
        <span>Question</span>
        <select @change=${(event: Event) => desk.askFor({ ask: (event.target as HTMLSelectElement).value as "continue" | "replan" })}>
          ${QUESTIONS.map(([name, words]) => html`<option value=${name} ?selected=${ask.ask === name}>${words}</option>`)}
          ${ask.ask === "reschedule" ? html`<option value="reschedule" selected>Reschedule these</option>` : nothing}
        </select>
      </label>
      ${askedList(ask, (next) => desk.askFor(next))}`;
  }

  /** Edits that are about nothing that is there yet. */
  private more(desk: WhatIfDesk): TemplateResult {
    const write = (title: string, text: string) => desk.editor.manifests(text, title);
    const button = (label: string, title: string, click: () => void) => html`<button type="button" class="button small" title=${title} @click=${click}>${label}</button>`;
    return html`<div class="edit-new">
      <div class="edit-buttons">
        ${button("Apply YAML", "Manifests, as kubectl apply takes them (y)", () => desk.editor.manifests())}
        ${button("New pod", "By a form or as YAML", () => write("New pod", NEW_POD))}
        ${button("New node", "By a form or as YAML", () => write("New node", NEW_NODE))}
      </div>
      <details class="edit-more">
        <summary>Arrivals, waiting</summary>
        ${editLine(
          html`<label>Pods like <input name="like" type="text" placeholder="cpu=200m memory=128Mi" required pattern="(cpu|memory)=\\S+(\\s+(cpu|memory)=\\S+)*" title="What each asks for" /></label>
            <label>count <input name="count" type="number" min="1" max="100000" value="20" required /></label>
            <label>a second <input name="rate" type="number" min="0.001" max="1000" step="any" value="2" required /></label>
            <select name="distribution" aria-label="Intervals"><option value="fixed">evenly</option><option value="poisson">at random</option></select>`,
          "Let them come",
          (values) => desk.change((stack) => stack.add(arrivals(values))),
        )}
        ${editLine(html`<label>Wait until <input name="at" type="text" placeholder="5m" required pattern=${DURATION} /></label>`, "Wait", (values) => desk.change((stack) => stack.add({ kind: "wait", at: durationOf(values["at"]!) })))}
      </details>
    </div>`;
  }

  private onward(desk: WhatIfDesk): TemplateResult {
    const start = () =>
      this.trying(async () => {
        const id = await runWith(this.run.clusterId, desk.stack.active, desk.ask);
        location.assign(`/runs/${id}/`);
      });
    return html`<footer class="edits-foot">
      <button type="button" class="button primary" ?disabled=${!!desk.problem} @click=${start} title="The whole run with these edits, cycle by cycle">Run it</button>
      <span class="quiet">Share ${copyButton(location.href, "the address of this what-if")}</span>
      ${desk.took ? html`<span class="quiet num took" title="From the edit to the answer">${desk.took < 2000 ? `${Math.round(desk.took)} ms` : `${(desk.took / 1000).toFixed(1)} s`}</span>` : nothing}
      <details class="edit-more" @toggle=${this.readKept}>
        <summary>Save or load</summary>
        ${desk.stack.active.length ? editLine(html`<label>Save as <input name="name" type="text" placeholder="lose zone b at noon" required maxlength="200" /></label>`, "Save", (values) => this.save(desk, values["name"]!)) : html`<p class="quiet-line">With an edit on the stack it can be saved as a scenario.</p>`}
        ${this.keptList(desk)}
      </details>
      ${this.said ? html`<p role="status">${this.said}</p>` : nothing}
    </footer>`;
  }

  private async trying(what: () => Promise<void>): Promise<void> {
    try {
      this.said = "";
      await what();
    } catch (error) {
      this.said = error instanceof ApiError ? [error.message, error.errors[0]?.message].filter(Boolean).join(" ") : "It could not be done.";
    }
    this.requestUpdate();
  }

  private save(desk: WhatIfDesk, name: string): void {
    void this.trying(async () => {
      await keepScenario(name, desk.stack.active, desk.ask);
      this.said = `Saved as “${name}”.`;
      this.kept = await scenarios();
    });
  }

  private readonly readKept = (event: Event) => {
    if (!(event.target as HTMLDetailsElement).open) return;
    void this.trying(async () => {
      this.kept = await scenarios();
    });
  };

  private keptList(desk: WhatIfDesk): unknown {
    if (this.kept === null) return nothing;
    if (this.kept.length === 0) return html`<p class="quiet-line">No scenario is saved yet.</p>`;
    return editLine(
      html`<label>Scenario <select name="id">${this.kept.map((one) => html`<option value=${one.id}>${one.name}</option>`)}</select></label>`,
      "Load",
      (values) => {
        const chosen = this.kept!.find((one) => one.id === values["id"]);
        if (!chosen) return;
        desk.change((stack) => stack.load(chosen.edits.map((edit) => ({ edit, on: true }))));
        if (chosen.question) desk.askFor(chosen.question);
      },
      true,
    );
  }
}

function arrivals(values: Values): { kind: string } & Record<string, unknown> {
  const requests = Object.fromEntries((values["like"] ?? "").split(/\s+/).map((part) => part.split("=") as [string, string]));
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "arrival" }, spec: { containers: [{ name: "main", image: "registry.example.com/app:1", resources: { requests } }] } };
  return { kind: "arrivals", pod, rate: Number(values["rate"]), count: Number(values["count"]), distribution: values["distribution"] };
}

customElements.define("sp-edits", SpEdits);
