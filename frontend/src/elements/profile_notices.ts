/** What is to be told about a profile as it is edited: changes that are there again, a conflict, a failure. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ProfileDesk } from "./profile_desk";

export function noticesView(desk: ProfileDesk): TemplateResult {
  return html`${desk.problem ? html`<p class="said bad" role="alert">${desk.problem}</p>` : nothing} ${desk.theirs ? conflict(desk) : nothing}
  ${desk.restored && desk.isChanged && !desk.theirs
    ? html`<p class="said notice-row" role="status">
        <span>Changes of ${new Date(desk.restored).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })} that were not saved are here again.</span>
        <button type="button" class="button small" @click=${() => desk.drop()}>Drop them</button>
      </p>`
    : nothing}`;
}

function conflict(desk: ProfileDesk): TemplateResult {
  const { profile } = desk.theirs!;
  return html`<section class="said bad" role="alert" aria-label="Conflict">
    <p><strong>Somebody else has saved this profile since you opened it.</strong> Nothing is overwritten yet.</p>
    <details>
      <summary>What they saved${profile.name === desk.now.name ? nothing : html`, named <span class="mono">${profile.name}</span>`}</summary>
      <pre class="mono theirs" tabindex="0">${profile.config}</pre>
    </details>
    <p class="notice-row">
      <button type="button" class="button small" @click=${() => void desk.decide(false)}>Take theirs</button>
      <button type="button" class="button small" @click=${() => void desk.decide(true)}>Save mine over it</button>
      <span class="quiet">Taking theirs can be undone.</span>
    </p>
  </section>`;
}
