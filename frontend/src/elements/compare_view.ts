/** What stands inside a comparison: drawn anew when its runs, its playhead or its answer have changed. */

import { LightElement } from "./light";
import type { SpCompare } from "./sp-compare";

export class CompareView extends LightElement {
  compare!: SpCompare;
  /** How often it is drawn while the playhead is drawn along: every frame, or only when it rests. */
  readonly pace: "every" | "rest" = "every";

  override connectedCallback(): void {
    const compare = this.closest<SpCompare>("sp-compare");
    if (!compare) throw new Error(`<${this.localName}> stands outside of <sp-compare>`);
    this.compare = compare;
    super.connectedCallback();
    compare.views.add(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.compare.views.delete(this);
  }
}

/** The mark of a run, the same wherever it is named. */
export const SIDES = ["before", "after"] as const;
export type Side = 0 | 1;
export const LETTERS = ["A", "B"] as const;
