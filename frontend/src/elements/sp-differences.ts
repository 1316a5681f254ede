/** What is different in the second run: the verdict, the pods, and the first cycle that parted the runs. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ChangeKind, Comparison, PlacementChange } from "../api/compare";
import { count, counted, podName, reasonOf } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { CompareView } from "./compare_view";
import { glyph, nameText } from "./light";
import { partingView } from "./parting_view";

const SHOWN = 6;
const MORE = 100;
const KINDS: readonly (readonly [kind: ChangeKind, glyph: GlyphName, title: string])[] = [
  ["newly pending", "unschedulable", "Newly pending"],
  ["rescued", "bound", "Rescued"],
  ["moved", "changed", "Moved"],
  ["new", "assumed", "New"],
  ["gone", "absent", "Gone"],
];

interface Line {
  pod: string;
  words: string;
}

class SpDifferences extends CompareView {
  override readonly pace = "rest";
  protected override render(): unknown {
    const { answer, problem } = this.compare;
    if (!answer) return problem ? html`<section class="sheet verdict-sheet"><h1 class="compare-words">${glyph("refused")} These runs cannot be compared</h1><p class="bad" role="alert">${problem}</p></section>` : nothing;
    return html`<section class="sheet verdict-sheet" aria-label="What differs" aria-live="polite">
        <h1 class="compare-words">${glyph(answer.same ? "bound" : "changed")} ${this.verdict(answer)}</h1>
        ${answer.notes.map((note) => html`<p class="notice">${note}</p>`)} ${problem ? html`<p class="bad">${problem}</p>` : nothing}
        ${answer.num_placements === 0 && !answer.same ? html`<p class="quiet">Every pod ended on the same node${answer.first_diverging_cycle ? ", though not every attempt went alike" : ""}.</p>` : nothing}
        <div class="what-if-lists">${this.lists(answer)}</div>
      </section>
      ${partingView(answer, (cycle) => this.goto(cycle.cycle_before, cycle.cycle_after))}`;
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    if (this.compare.answer || this.compare.problem) this.dropFallback();
  }

  private verdict(answer: Comparison): string {
    if (!answer.same) return answer.text;
    return answer.until_us === null ? "The two runs are the same, event by event" : "The same so far";
  }

  private goto(before: number, after: number): void {
    const cell = this.compare.alignment.cellOf(before, after);
    if (cell) this.compare.goto(cell, true);
  }

  private lists(answer: Comparison): unknown {
    const lists = KINDS.map(([kind, name, title]) => {
      const found = answer.placements.filter((change) => change.kind === kind);
      return this.list(name, title, found.map((change) => ({ pod: change.pod, words: wordsOf(change) })), answer.kinds[kind]);
    });
    const victims = (here: boolean) => answer.victims.filter((change) => change.after === here).map(({ pod }) => ({ pod, words: "" }));
    return html`${lists} ${this.list("victim", "Preempted in B alone", victims(true))} ${this.list("victim", "Preempted in A alone", victims(false))}`;
  }

  private list(name: GlyphName, title: string, lines: readonly Line[], number = lines.length): unknown {
    if (lines.length === 0) return nothing;
    const rest = lines.slice(SHOWN);
    return html`<section aria-label=${title}>
      <h2 class="what-if-title">${glyph(name)} ${title} <span class="quiet num">${count(number)}</span></h2>
      <ul>${lines.slice(0, SHOWN).map((line) => this.line(line))}</ul>
      ${rest.length
        ? html`<details class="more-lines"><summary class="quiet">and ${counted(number - SHOWN, "more pod")}</summary><ul>${rest.slice(0, MORE).map((line) => this.line(line))}</ul>
            ${number - SHOWN > MORE ? html`<p class="quiet">and ${count(number - SHOWN - Math.min(MORE, rest.length))} more</p>` : nothing}</details>`
        : nothing}
    </section>`;
  }

  private line({ pod, words }: Line): TemplateResult {
    return html`<li><button type="button" class="link" @click=${() => this.compare.showPod(pod)}>${nameText(pod, podName(pod))}</button> <span class="quiet" title=${words}>${words}</span></li>`;
  }
}

function wordsOf(change: PlacementChange): string {
  if (change.kind === "newly pending") return reasonOf(change.why) || (change.before ? `was on ${change.before}` : "");
  if (change.kind === "moved") return `${change.before} → ${change.after}${change.instead ? ` as ${podName(change.instead)}` : ""}`;
  if (change.kind === "gone") return change.before ? `was on ${change.before}` : "";
  return `→ ${change.after}`;
}

customElements.define("sp-differences", SpDifferences);
