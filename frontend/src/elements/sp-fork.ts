/** Fork here: edits that go into the past of a run, put together in a dialogue, and the run that begins with them. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { forkRun } from "../api/forks";
import type { ForkAt } from "../api/forks";
import { readManifests } from "../api/plans";
import { ApiError, sentenceOf } from "../api/problem";
import { count, podName, time } from "../base/format";
import { keyMap } from "../base/keys";
import type { EditStack } from "../trace/edit_stack";
import { siblings } from "../trace/workload";
import { nodeActions, podActions } from "./edit_actions";
import { editStackHead, editStackList } from "./edit_stack_view";
import { ForkDesk } from "./fork_desk";
import { LightElement } from "./light";
import { best } from "./run_commands";
import type { SpRun } from "./sp-run";

const NOT_YET: Record<string, string> = {
  pending: "The run has not begun. Try again in a moment.",
  failed: "The run failed: there is nothing to go on from. Run the cluster again.",
};

class SpFork extends LightElement {
  private readonly desk = new ForkDesk(() => this.requestUpdate());
  private by: "cycle" | "time" = "cycle";
  /** As they were typed, so that what is wrong can be said. */
  private cycle = "1";
  private seconds = "0";
  private what = "";
  private yaml = "";
  private yamlProblem = "";
  private starting = false;
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = keyMap.add(
      { keys: "f", label: "fork here", group: "Run", run: () => this.open() },
      { keys: "e", label: "change the cluster: what if", group: "Run", run: () => this.whatIf() },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  private get run(): SpRun | null {
    return document.querySelector<SpRun>("sp-run");
  }

  /** The what-if of the run's cluster, with what is selected here. */
  private whatIf(): void {
    const { run } = this;
    if (!run) return;
    const chosen = new URLSearchParams(Object.entries({ pod: run.pod, node: run.node }).filter((entry): entry is [string, string] => entry[1] !== null));
    location.assign(`/clusters/${run.clusterId}/what-if/${chosen.size ? `?${chosen}` : ""}`);
  }

  private open(): void {
    const { run } = this;
    const dialog = this.querySelector("dialog");
    if (!run?.model || !dialog || dialog.open) return;
    run.player.pause();
    const { store } = run;
    const atEnd = store.state.seq >= store.lastSeq && run.ended;
    this.by = store.cycles.size === 0 || atEnd ? "time" : "cycle";
    this.cycle = String(Math.max(1, store.cycle));
    this.seconds = String(store.state.tUs / 1e6);
    this.what = run.pod ?? run.node ?? "";
    this.desk.reset();
    this.requestUpdate();
    dialog.showModal();
  }

  /** Why there is nothing to fork, or nothing. */
  private refusal(run: SpRun): string {
    const known = NOT_YET[run.info.status ?? ""];
    return known ?? (run.store.lastSeq ? "" : "The run has no event yet. Try again in a moment.");
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="button small" title="Another future from the playhead on (f)" @click=${() => this.open()}>Fork<span class="wide-word"> here</span></button>
      <dialog class="fork" aria-labelledby="fork-title">${this.run?.model ? this.inside(this.run) : nothing}</dialog>`;
  }

  private inside(run: SpRun): TemplateResult {
    return html`<div class="dialog-head">
        <h2 id="fork-title">Fork this run</h2>
        <button type="button" class="icon" aria-label="Close" @click=${() => this.close()}>✕</button>
      </div>
      ${this.refusal(run) ? html`<p class="fork-words" role="alert">${this.refusal(run)}</p>` : this.form(run)}`;
  }

  private form(run: SpRun): TemplateResult {
    return html`<div class="fork-body">
        ${this.where(run)}
        <section class="fork-edits" aria-label="Edits">
          ${editStackHead(this.desk)}
          ${this.desk.stack.entries.length ? editStackList(this.desk) : html`<p class="quiet fork-none">No edit yet: without one it becomes the same run again.</p>`}
        </section>
        ${this.chooser(run)} ${this.written()}
        <label class="fork-name">Name <input name="name" type="text" maxlength="200" placeholder="None: it is called what was changed" /></label>
      </div>
      <div class="fork-foot">
        <button type="button" class="button primary" ?disabled=${this.starting} @click=${() => void this.start(run)}>${this.starting ? "Starting" : "Fork"}</button>
        <button type="button" class="button" @click=${() => this.close()}>Cancel</button>
        <p class="bad" role="alert">${this.desk.problem}</p>
      </div>`;
  }

  private close(): void {
    this.querySelector("dialog")?.close();
  }

  /** Where the edits go: before a cycle, or at a time. */
  private where(run: SpRun): TemplateResult {
    const { store } = run;
    const total = store.cycles.size;
    const set = (by: "cycle" | "time") => () => {
      this.by = by;
      this.requestUpdate();
    };
    const problem = this.placeProblem(run);
    const wrong = problem !== "";
    return html`<p class="fork-words" id="fork-words" aria-live="polite">${wrong ? html`<span class="bad">${problem}</span>` : this.words(run)}</p>
      <fieldset class="fork-where">
        <legend class="visually-hidden">Where the fork begins</legend>
        <span><label><input type="radio" name="by" .checked=${this.by === "cycle"} ?disabled=${total === 0} @change=${set("cycle")} /> before cycle</label>
        <input type="number" class="num" min="1" max=${total} aria-label="Cycle" ?disabled=${total === 0} .value=${this.cycle} aria-invalid=${wrong && this.by === "cycle"} aria-describedby="fork-words" @input=${(event: Event) => this.take(event, "cycle")} /></span>
        <span><label><input type="radio" name="by" .checked=${this.by === "time"} @change=${set("time")} /> at</label>
        <input type="number" class="num" min="0" step="any" aria-label="Virtual time in seconds" .value=${this.seconds} aria-invalid=${wrong && this.by === "time"} aria-describedby="fork-words" @input=${(event: Event) => this.take(event, "time")} /> s</span>
      </fieldset>`;
  }

  /** Takes what is typed, and with it the choice: going past a field chooses nothing. */
  private take(event: Event, by: "cycle" | "time"): void {
    const { value } = event.target as HTMLInputElement;
    this.by = by;
    if (by === "cycle") this.cycle = value;
    else this.seconds = value;
    this.requestUpdate();
  }

  /** What is wrong with the place that is chosen, or nothing. */
  private placeProblem(run: SpRun): string {
    const total = run.store.cycles.size;
    if (this.by === "time") return this.seconds !== "" && Number(this.seconds) >= 0 ? "" : "Give a time from 0 s on: the edits go into the past there.";
    const cycle = Number(this.cycle);
    return Number.isInteger(cycle) && cycle >= 1 && cycle <= total ? "" : `There is no cycle ${this.cycle || "without a number"}: give a whole number from 1 to ${count(total)}.`;
  }

  private words(run: SpRun): TemplateResult {
    const { store } = run;
    if (this.by === "time") {
      const us = Number(this.seconds) * 1e6;
      const shared = store.cycles.at(store.seqAt(us - 1));
      return html`The edits go into the past at <strong class="num">t = ${time(us)}</strong>. ${sharedWords(shared)}`;
    }
    const cycle = Number(this.cycle);
    const row = store.cycles.row(cycle);
    const pod = row ? podName(store.words.pods.name(row.pod)) : "";
    return html`The edits go into the past at <strong class="num">cycle ${count(cycle)}</strong>, <span class="num">t = ${time(row?.tUs ?? 0)}</span>: <span class="mono">${pod}</span> is decided anew. ${sharedWords(cycle - 1)}`;
  }

  /** A node or pod to change, the selected one first. */
  private chooser(run: SpRun): TemplateResult {
    const { words } = run.store;
    const choose = (event: Event) => {
      this.what = (event.target as HTMLInputElement).value;
      this.requestUpdate();
    };
    const found = this.what ? [...best(words.nodes.all, this.what), ...best(words.pods.all, this.what)] : words.nodes.all.slice(0, 12);
    return html`<label class="fork-what">Change <input type="search" list="fork-things" placeholder="A node or pod: type its name" .value=${this.what} @input=${choose} /></label>
      <datalist id="fork-things">${found.map((name) => html`<option value=${name}></option>`)}</datalist>
      ${this.actions(run)}`;
  }

  private actions(run: SpRun): unknown {
    const { words } = run.store;
    const change = (how: (stack: EditStack) => void) => this.desk.change(how);
    const node = run.model!.nodes[words.nodes.find(this.what)];
    if (node) return nodeActions(node, run.model!.nodes, change);
    const pod = run.model!.pods[words.pods.find(this.what)] ?? run.model!.pods[words.pods.find(`default/${this.what}`)];
    return pod ? podActions(pod, siblings(run.model!.pods, pod), change) : nothing;
  }

  private written(): TemplateResult {
    const apply = async (event: SubmitEvent) => {
      event.preventDefault();
      try {
        const objects = await readManifests(this.yaml);
        this.yaml = "";
        this.yamlProblem = "";
        this.desk.change((stack) => stack.add({ kind: "apply", objects }));
      } catch (error) {
        const first = error instanceof ApiError ? error.errors[0] : undefined;
        this.yamlProblem = first ? `${first.line ? `line ${first.line}: ` : ""}${sentenceOf(first)}` : error instanceof ApiError ? error.message : "It could not be sent.";
        this.requestUpdate();
      }
    };
    return html`<details class="edit-yaml">
      <summary>Apply YAML</summary>
      <form @submit=${apply}>
        <textarea class="mono" rows="6" required aria-label="Manifests to apply" placeholder="apiVersion: v1&#10;kind: Pod&#10;…" .value=${this.yaml} @input=${(event: Event) => (this.yaml = (event.target as HTMLTextAreaElement).value)}></textarea>
        <p class="bad" role="alert">${this.yamlProblem}</p>
        <button class="button small">Apply</button>
      </form>
    </details>`;
  }

  private async start(run: SpRun): Promise<void> {
    if (this.placeProblem(run)) {
      this.querySelector<HTMLInputElement>(".fork-where [aria-invalid=true]")?.focus();
      return;
    }
    const name = this.querySelector<HTMLInputElement>("input[name=name]")?.value.trim() ?? "";
    const at: ForkAt = this.by === "cycle" ? { cycle: Number(this.cycle) } : { t_us: Math.round(Number(this.seconds) * 1e6) };
    this.starting = true;
    this.requestUpdate();
    try {
      location.assign(`/runs/${await forkRun(run.runId!, at, this.desk.stack.active, name)}/`);
    } catch (error) {
      this.starting = false;
      this.desk.refuse(error);
    }
  }
}

function sharedWords(cycles: number): string {
  if (cycles < 1) return "Nothing before it was decided.";
  return cycles === 1 ? "Cycle 1 stays as it is." : `Cycles 1 to ${count(cycles)} stay as they are.`;
}

customElements.define("sp-fork", SpFork);
