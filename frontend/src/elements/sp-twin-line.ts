/** Where one of two runs stands: its cycle, and how many pods wait. */

import { html } from "lit";
import { count } from "../base/format";
import { PodState } from "../trace/pod_columns";
import { CompareView } from "./compare_view";

const WAITING = [PodState.ACTIVE, PodState.BACKOFF, PodState.UNSCHEDULABLE, PodState.GATED];

class SpTwinLine extends CompareView {
  protected override render(): unknown {
    const run = this.compare.runs[this.getAttribute("side") === "after" ? 1 : 0]!;
    const { store } = run;
    const waiting = WAITING.reduce((sum, state) => sum + store.state.pods.counts[state]!, 0);
    return html`<span class="quiet num">cycle ${count(store.cycle)} / ${count(store.cycles.size)}, ${count(waiting)} waiting${run.ended ? "" : ", still going"}</span>`;
  }
}

customElements.define("sp-twin-line", SpTwinLine);
