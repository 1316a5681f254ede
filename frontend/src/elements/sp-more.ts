/** How many more of a pod fit, or of several in a ratio, and what stops the next one. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { readManifests } from "../api/plans";
import { ApiError, sentenceOf } from "../api/problem";
import { Question } from "../api/questions";
import type { Capacity, PlanBody, TemplateWanted } from "../api/questions";
import type { FieldError } from "../api/types";
import { count, counted, percent } from "../base/format";
import { shares } from "../trace/capacity_curve";
import { reasonCounts } from "../trace/reason_counts";
import { choicesOf, ratioOf, whyNotPlaced } from "../trace/workload_templates";
import type { Choice } from "../trace/workload_templates";
import { bodyOf, problemView, progressView, staleView } from "./asking_view";
import { curveView } from "./curve_view";
import { RunView, glyph, nameText } from "./light";
import { pointAt } from "./pointing";

const OFFERED = 500;
const MOST_ROWS = 20;
const NODES_SHOWN = 5;

interface Row {
  name: string;
  wanted: TemplateWanted;
}

class SpMore extends RunView {
  private readonly question = new Question<Capacity>(() => this.requestUpdate());
  private rows: Row[] = [];
  private yaml = "";
  private complaints: FieldError[] = [];
  private choices: { version: number; found: Choice[] } = { version: -1, found: [] };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.question.stop();
  }

  private get offered(): Choice[] {
    const { model } = this.run;
    if (model && this.choices.version !== model.version) this.choices = { version: model.version, found: choicesOf(model.pods).slice(0, OFFERED) };
    return this.choices.found;
  }

  private get body(): PlanBody {
    return bodyOf(this.run, { question: "capacity", templates: this.rows.map((row) => row.wanted) });
  }

  protected override render(): unknown {
    const { question } = this;
    const { answer } = question;
    const ask = () => void question.ask(this.body);
    const isOld = question.state === "failed" && question.isStale(this.body);
    return html`<h3 id="more-title">How many more fit?</h3>
      ${this.rows.length ? html`<ul class="rounds">${this.rows.map((row, at) => this.row(row, at))}</ul>` : nothing}
      ${this.adder()} ${this.written()}
      <p><button type="button" class="button" ?disabled=${!this.rows.length || question.state === "asking"} @click=${ask}>${this.rows.length > 1 ? "How many rounds fit?" : "How many more fit?"}</button></p>
      <div aria-live="polite">${progressView(question)} ${isOld ? nothing : problemView(question)} ${this.rows.length && !isOld ? staleView(question, this.body, ask) : nothing} ${answer ? this.answer(answer) : nothing}</div>`;
  }

  private row(row: Row, at: number): TemplateResult {
    const set = (event: Event) => {
      row.wanted.count = Math.max(1, Number((event.target as HTMLInputElement).value) || 1);
      this.list(this.rows);
    };
    const remove = () => this.list(this.rows.filter((_, other) => other !== at));
    return html`<li>
      <input type="number" min="1" max="1000" aria-label="How many of ${row.name} in a round" .value=${String(row.wanted.count)} @change=${set} />
      ${nameText(row.name)}
      <button type="button" class="icon" aria-label="Take away: ${row.name}" title="Take away" @click=${remove}>✕</button>
    </li>`;
  }

  private adder(): TemplateResult {
    const add = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      const choice = this.offered.find((one) => one.like === select.value);
      select.value = "";
      if (choice) this.add({ name: choice.name, wanted: { like: choice.like, count: 1 } });
    };
    return html`<label class="choice more-choice">
      <span>${this.rows.length ? "and" : "of"}</span>
      <select aria-label=${this.rows.length ? "Another workload of the round" : "A pod or workload of the cluster"} ?disabled=${this.rows.length >= MOST_ROWS} @change=${add}>
        <option value="">${this.rows.length ? "another workload …" : "a pod or workload of the cluster …"}</option>
        ${this.offered.map(({ like, name, pods }) => html`<option value=${like}>${name}${pods > 1 ? ` (${count(pods)} pods)` : ""}</option>`)}
      </select>
    </label>`;
  }

  private add(...rows: Row[]): void {
    this.list([...this.rows, ...rows].slice(0, MOST_ROWS));
  }

  /** Takes another list: what was said about the one before holds no more. */
  private list(rows: Row[]): void {
    this.rows = rows;
    this.complaints = [];
    this.requestUpdate();
  }

  private written(): TemplateResult {
    const take = async (event: SubmitEvent) => {
      event.preventDefault();
      try {
        const objects = await readManifests(this.yaml);
        this.complaints = objects.map(whyNotPlaced).filter(Boolean).map((message) => ({ message }));
        if (this.complaints.length) return this.requestUpdate();
        const ratio = ratioOf(objects);
        const nameOf = (object: Record<string, unknown>) => `${String(object["kind"])} ${(object["metadata"] as { name?: string } | undefined)?.name ?? ""}`.trim();
        this.add(...objects.map((pod, at) => ({ name: nameOf(pod), wanted: { pod, count: ratio[at] || 1 } })));
        this.yaml = "";
      } catch (error) {
        this.complaints = error instanceof ApiError && error.errors.length ? error.errors : [{ message: error instanceof ApiError ? error.message : "It could not be sent." }];
      }
      this.requestUpdate();
    };
    return html`<details class="more-yaml">
      <summary>or paste manifests</summary>
      <form @submit=${take}>
        <textarea class="mono" rows="6" required aria-label="Pods and workloads to place" placeholder="apiVersion: apps/v1&#10;kind: Deployment&#10;…" .value=${this.yaml} @input=${(event: Event) => (this.yaml = (event.target as HTMLTextAreaElement).value)}></textarea>
        ${this.complaints.length ? html`<ul role="alert">${this.complaints.map((error) => html`<li class="bad">${error.line ? `line ${error.line}: ` : ""}${sentenceOf(error)}</li>`)}</ul>` : nothing}
        <button class="button small">Take them</button>
      </form>
    </details>`;
  }

  private answer(found: Capacity): TemplateResult {
    const fits = found.text.split(". The next one stays pending: ", 1)[0]!;
    const stop = found.stopped_by;
    const counts = stop ? reasonCounts(stop.message) : [];
    return html`<p class="capacity-words">${glyph(found.pods ? "fits" : "refused")} <strong>${fits}</strong></p>
      ${stop
        ? html`<p class="quiet">The next one stays pending:</p>
            ${counts.length
              ? html`<ul class="reason-counts" title=${stop.message}>${counts.map(({ nodes, reason }) => html`<li><span class="num">${count(nodes)}</span> <span>${reason}</span></li>`)}</ul>`
              : html`<p class="bad">${stop.message}</p>`}`
        : nothing}
      ${curveView(shares(found), { title: "Nodes that fit and what is in use, over the pods placed", along: "pods placed", top: 1, words: percent })}
      ${this.places(found)}`;
  }

  private places(found: Capacity): unknown {
    const places = Object.entries(found.placements).sort((a, b) => b[1] - a[1]);
    if (!places.length) return nothing;
    const away = () => pointAt(this.run, []);
    return html`<ul class="places" aria-label="Where they go">
        ${places.slice(0, NODES_SHOWN).map(([node, pods]) => {
          const point = () => pointAt(this.run, [node]);
          return html`<li @pointerenter=${point} @pointerleave=${away}>
            <button type="button" class="link mono" title=${node} @focus=${point} @blur=${away} @click=${() => this.run.selectNode(node)}>${node}</button> <span class="num quiet">+${count(pods)}</span>
          </li>`;
        })}
      </ul>
      ${places.length > NODES_SHOWN ? html`<p class="quiet">and on ${counted(places.length - NODES_SHOWN, "more node")}</p>` : nothing}`;
  }
}

customElements.define("sp-more", SpMore);
