/** A profile's weights on a decision of a run: which run, which cycle, and who would have won. */

import { html, nothing } from "lit";
import { cycleDetail, send } from "../api/client";
import { ApiError } from "../api/problem";
import type { CycleDetail } from "../api/types";
import { LightElement, emptyState, skeleton } from "./light";
import type { SpProfile } from "./sp-profile";
import "./lazy_sensitivity";

interface Line {
  cycle: number;
  pod: string;
  node: string | null;
  num_feasible: number;
}

const MOST = 500;

class SpTrial extends LightElement {
  private choice: HTMLSelectElement | null = null;
  private cycles: Line[] | null = null;
  private detail: CycleDetail | null = null;
  private start: Record<string, number> | null = null;
  private problem = "";
  private asked = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.choice = document.querySelector("#trial-run");
    this.choice?.addEventListener("change", () => void this.open());
    document.addEventListener("profile-changed", this.follow);
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("profile-changed", this.follow);
  }

  /** The sliders begin with the weights of the profile that is edited. */
  private readonly follow = (event: Event): void => {
    const { weights } = event.target as SpProfile;
    if (JSON.stringify(weights) === JSON.stringify(this.start)) return;
    this.start = weights;
    this.requestUpdate();
  };

  private async open(cycle?: number): Promise<void> {
    this.asked.abort();
    const { signal } = (this.asked = new AbortController());
    const run = this.choice?.value;
    if (!run) return;
    this.detail = null;
    this.problem = "";
    if (cycle === undefined) this.cycles = null;
    this.requestUpdate();
    try {
      this.cycles ??= await decisionsOf(run, signal);
      const wanted = cycle ?? this.cycles[0]?.cycle;
      if (wanted === undefined) return this.requestUpdate();
      let found = await cycleDetail(run, wanted, signal);
      while ("retryAfter" in found) {
        const { retryAfter } = found;
        await new Promise((done) => setTimeout(done, retryAfter * 1000));
        found = await cycleDetail(run, wanted, signal);
      }
      if (signal.aborted) return;
      this.detail = found.detail;
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof ApiError ? error.message : "The answer could not be read.";
    }
    this.requestUpdate();
  }

  protected override render(): unknown {
    const { cycles, detail } = this;
    if (this.problem) return html`<p class="bad" role="alert">${this.problem}</p>`;
    if (!cycles) return skeleton(3, "Reading the run");
    if (cycles.length === 0) return emptyState("No decision to weigh", "In this run no pod had two nodes to choose from.");
    return html`<label class="choice">Decision
        <select @change=${(event: Event) => void this.open(Number((event.target as HTMLSelectElement).value))}>
          ${cycles.map((line) => html`<option value=${line.cycle} .selected=${line.cycle === detail?.cycle}>cycle ${line.cycle}: ${line.pod} → ${line.node}, ${line.num_feasible} nodes fit</option>`)}
        </select></label>
      ${detail ? html`<sp-sensitivity here run=${this.choice!.value} .detail=${detail} .start=${this.start}></sp-sensitivity>` : this.problem ? nothing : skeleton(4, "Reading the cycle")}`;
  }
}

/** The cycles that chose among nodes. */
async function decisionsOf(run: string, signal: AbortSignal): Promise<Line[]> {
  const response = await send(`runs/${run}/cycles?limit=${MOST}`, { signal });
  const found = ((await response.json()) as { cycles: Line[] }).cycles;
  return found.filter((line) => line.node && line.num_feasible > 1);
}

customElements.define("sp-trial", SpTrial);
