/** Questions of capacity about the cluster with its edits: how much more fits, what is missing, what could go. */

import { html } from "lit";
import "./sp-growth";
import "./sp-more";
import "./sp-removals";
import { RunView, skeleton } from "./light";

class SpCapacity extends RunView {
  protected override render(): unknown {
    if (!this.run.model) return skeleton(3, "Reading the cluster");
    return html`<h2 class="sheet-title">Capacity</h2>
      <div class="capacity">
        <section aria-labelledby="more-title"><sp-more></sp-more></section>
        <section aria-labelledby="growth-title"><sp-growth></sp-growth></section>
        <section aria-labelledby="removals-title"><sp-removals></sp-removals></section>
      </div>`;
  }
}

customElements.define("sp-capacity", SpCapacity);
