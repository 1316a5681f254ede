/** Whom a node refused and why, cycle by cycle, the latest first, page after page. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { Asked, nodeStoryPath } from "../api/asked";
import type { AskedState } from "../api/asked";
import type { NodeStory } from "../api/detail";
import { count, counted, podName } from "../base/format";
import { sameRefusals } from "../trace/refusals";
import type { Refusal } from "../trace/refusals";
import { GLYPH_OF_VERDICT } from "./answer_view";
import { glyph, skeleton } from "./light";
import type { SpRun } from "./sp-run";

const PODS_NAMED = 12;

export class RefusedHere {
  private readonly asked: Asked<NodeStory>;
  private of = "";
  /** The last cycle of each page. */
  private untils: number[] = [];

  constructor(private readonly changed: () => void) {
    this.asked = new Asked<NodeStory>(changed);
  }

  /** Asked once the run has ended, and where the playhead rests. */
  view(run: SpRun, node: string): unknown {
    if (!run.runId || !run.ended || run.store.cycles.size === 0 || run.moving || run.player.playing) return nothing;
    const until = run.store.cycle;
    if (this.of !== `${node} ${until}`) {
      this.of = `${node} ${until}`;
      this.untils = [until];
    }
    const pages = this.untils.map((last) => this.asked.want(nodeStoryPath(run.runId!, node, last)));
    const ready = pages.flatMap((page) => (page.state === "ready" ? [page.answer] : []));
    const refusals = sameRefusals(ready.flatMap((page) => page.answers));
    return html`<section class="refused-here" aria-label="Refused here" aria-busy=${ready.length < pages.length}>
      <header class="sub"><h3>Refused here</h3></header>
      ${refusals.length ? html`<ul>${refusals.map((one) => refusalRow(one, run))}</ul>` : nothing} ${this.foot(pages, ready, refusals.length, run)}
    </section>`;
  }

  private foot(pages: readonly AskedState<NodeStory>[], ready: readonly NodeStory[], shown: number, run: SpRun): unknown {
    const last = pages[pages.length - 1]!;
    if (last.state === "loading") {
      return html`${last.replaying ? html`<p class="quiet-line">Computed again by replaying the run.</p>` : nothing}${skeleton(2, "Reading who was refused")}`;
    }
    if (last.state === "failed") {
      const path = nodeStoryPath(run.runId!, run.node!, this.untils[this.untils.length - 1]!);
      return html`<p class="bad">${last.message} <button type="button" class="button small" @click=${() => this.asked.retry(path)}>Try again</button></p>`;
    }
    const looked = ready.reduce((sum, page) => sum + page.num_cycles, 0);
    const next = last.answer.next_until;
    return html`<p class="quiet-line">
      ${next === null
        ? shown ? nothing : "It has refused nobody so far."
        : html`<span>${shown ? nothing : "Nobody yet: "}of the cycles with a refusal the last ${count(looked)} were looked at.</span>
            <button type="button" class="button small" @click=${() => this.more(next)}>Look further back</button>`}
    </p>`;
  }

  private more(until: number): void {
    this.untils.push(until);
    this.changed();
  }
}

function refusalRow({ verdict, parts, pods }: Refusal, run: SpRun): TemplateResult {
  const rest = pods.length - PODS_NAMED;
  return html`<li>
    ${glyph(GLYPH_OF_VERDICT[verdict])}
    <div>
      <p>${parts.map(({ plugin, text }, i) => html`${i ? "; beside it " : ""}<span class="mono">${plugin || "PreFilter or an extender"}</span> ${text}`)}</p>
      <p class="quiet">${pods.slice(0, PODS_NAMED).map((one, i) => html`${i ? ", " : ""}${podWords(one.pod, one.cycles, run)}`)}${rest > 0 ? ` and ${counted(rest, "more pod")}` : ""}</p>
    </div>
  </li>`;
}

function podWords(pod: string, cycles: readonly number[], run: SpRun): TemplateResult {
  const rest = cycles.length - 1;
  return html`<button type="button" class="link mono" @click=${() => run.selectPod(pod)}>${podName(pod)}</button> in
    <button type="button" class="link" @click=${() => run.openCycle(cycles[0]!)}>cycle ${count(cycles[0]!)}</button>${rest > 0 ? ` and ${counted(rest, "earlier one")}` : ""}`;
}
