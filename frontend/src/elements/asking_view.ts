/** What all questions of planning have in common on the page: asked of the present edits, progress, stop, what is wrong. */

import { html, nothing } from "lit";
import { sentenceOf } from "../api/problem";
import type { PlanBody, Question } from "../api/questions";
import { glyph } from "./light";
import type { SpRun } from "./sp-run";

/** A question about the cluster with the edits as they are now. */
export function bodyOf(run: SpRun, asked: Omit<PlanBody, "cluster" | "edits" | "ask">): PlanBody {
  const { desk } = run;
  return { cluster: run.clusterId, edits: desk?.stack.active ?? [], ask: desk?.ask ?? { ask: "continue" }, ...asked };
}

/** "tried 7 of 23", with a way to stop; nothing while nothing is asked. */
export function progressView<A>(question: Question<A>): unknown {
  const { words } = question;
  const { done = 0, total = null } = question.job?.progress ?? {};
  if (question.state === "stopped") return html`<p class="asking quiet" role="status">Stopped: ${words}.</p>`;
  if (question.state !== "asking") return nothing;
  return html`<p class="asking" role="status">
    ${total ? html`<progress max=${total} value=${done} aria-label="Progress"></progress>` : html`<progress aria-label="Progress"></progress>`}
    <span class="num">${words}</span>
    <button type="button" class="button small" @click=${() => question.stop()}>Stop</button>
  </p>`;
}

export function problemView<A>(question: Question<A>): unknown {
  if (question.state !== "failed") return nothing;
  const { errors, problem } = question;
  return html`<div role="alert">${errors.length ? errors.map((error) => html`<p class="bad">${sentenceOf(error)}</p>`) : html`<p class="bad">${problem}</p>`}</div>`;
}

/** Says that the edits are others than those that were asked about. */
export function staleView<A>(question: Question<A>, body: PlanBody, again: () => void): unknown {
  if (question.state === "asking" || !question.isStale(body)) return nothing;
  return html`<p class="stale">${glyph("changed")} <span>The edits have changed since.</span> <button type="button" class="button small" @click=${again}>Ask again</button></p>`;
}
