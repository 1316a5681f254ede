/** The editor of a profile: form and YAML side by side, what differs from the default in words, saving and the way back. */

import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { ConfigForm, Difference } from "../api/profiles";
import { sentenceOf } from "../api/problem";
import type { FieldError } from "../api/types";
import { keyMap } from "../base/keys";
import { placeInForm, shortened } from "../trace/config_errors";
import { addProfile, removeProfile, setWeight, turnOff } from "../trace/config_form";
import { LightElement, glyph, skeleton } from "./light";
import { argumentsView } from "./profile_args";
import { boardView } from "./profile_board";
import type { Board } from "./profile_board";
import { ProfileDesk } from "./profile_desk";
import { noticesView } from "./profile_notices";
import { settingsView } from "./profile_settings";
import { textPane } from "./text_pane";

export class SpProfile extends LightElement {
  desk!: ProfileDesk;
  private at = 0;
  private readonly opened = new Set<string>();
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    const field = (name: string) => this.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`)?.value ?? "";
    const shown = { name: field("name"), text: field("config") };
    const stored = { ...(this.hasAttribute("refused") ? { name: "", text: "" } : shown), etag: this.getAttribute("etag") ?? "" };
    const address = new URL(location.href);
    const weights = address.searchParams.get("weights");
    address.searchParams.delete("weights");
    if (weights) history.replaceState(history.state, "", address);
    this.desk = new ProfileDesk(this.getAttribute("profile-id") ?? "", stored, shown, address.search, () => this.requestUpdate());
    this.forget = keyMap.add(
      { keys: "ctrl+z", label: "undo", group: "Profile", run: () => this.desk.undo() },
      { keys: "ctrl+shift+z", label: "do again", group: "Profile", run: () => this.desk.redo() },
      { keys: "ctrl+s", label: "save", group: "Profile", run: () => void this.save() },
    );
    window.addEventListener("beforeunload", this.ask);
    document.addEventListener("submit", this.saveFirst);
    document.addEventListener("weights-chosen", this.takeWeights);
    super.connectedCallback();
    void this.open(weights);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
    window.removeEventListener("beforeunload", this.ask);
    document.removeEventListener("submit", this.saveFirst);
    document.removeEventListener("weights-chosen", this.takeWeights);
  }

  /** Reads all, then applies weights that the address brought. */
  private async open(wanted: string | null): Promise<void> {
    await this.desk.open();
    if (this.hasAttribute("refused")) this.desk.problem ||= "It was not kept. Mend what is marked, then save it.";
    this.requestUpdate();
    if (!wanted) return;
    const weights = wanted.split(",").map((one) => one.split(":"));
    this.setWeights(Object.fromEntries(weights.map(([name, weight]) => [name ?? "", Number(weight)])));
  }

  /** The weights of the profile that is shown, by plugin. */
  get weights(): Record<string, number> {
    const score = this.desk.now.form?.profiles[this.at]?.points["score"] ?? [];
    return Object.fromEntries(score.map((place) => [place.name, place.weight ?? 1]));
  }

  setWeights(weights: Record<string, number>): void {
    this.desk.change((form) => Object.entries(weights).reduce((made, [name, weight]) => weighed(made, this.at, name, weight), form));
  }

  private readonly takeWeights = (event: Event): void => this.setWeights((event as CustomEvent<Record<string, number>>).detail);

  /** Where the browser cannot keep what is not saved, it asks before the page is left. */
  private readonly ask = (event: BeforeUnloadEvent): void => {
    if (this.desk.isChanged && !this.desk.isRemembered) event.preventDefault();
  };

  /** What runs a profile runs it as it is stored. */
  private readonly saveFirst = (event: SubmitEvent): void => {
    const form = event.target as HTMLFormElement;
    if (!form.hasAttribute("data-needs-saved") || !this.desk.isChanged) return;
    event.preventDefault();
    void this.save().then((done) => done && form.submit());
  };

  private async save(): Promise<boolean> {
    const before = this.desk.id;
    const name = this.querySelector<HTMLInputElement>(".profile-name");
    if (!this.desk.now.name.trim() && name) {
      name.focus();
      name.reportValidity();
      return false;
    }
    const done = await this.desk.save();
    if (done && !before) location.assign(`/profiles/${this.desk.id}/`);
    return done;
  }

  protected override updated(changes: PropertyValues): void {
    super.updated(changes);
    this.dropFallback();
    this.dispatchEvent(new CustomEvent("profile-changed", { bubbles: true }));
  }

  protected override render(): unknown {
    const { desk } = this;
    const { form } = desk.now;
    this.at = Math.min(this.at, Math.max(0, (form?.profiles.length ?? 1) - 1));
    return html`${this.head()} ${noticesView(desk)}
      <p class="profile-said visually-hidden" role="status"></p>
      <div class="profile-grid">
        <div class="profile-form">
          ${this.differs()}
          ${desk.catalogue && form ? this.form(desk.catalogue) : this.noForm()}
        </div>
        <aside class="profile-text">${textPane(desk, this.nonce)}</aside>
      </div>`;
  }

  private head(): TemplateResult {
    const { desk } = this;
    const state = desk.saving ? "Saving" : desk.isChanged ? "Not saved yet" : desk.id ? "Saved" : "Not kept yet";
    return html`<header class="profile-head">
      <h1 class="visually-hidden">Profile ${desk.now.name}</h1>
      <input type="text" class="profile-name" aria-label="Name of the profile" placeholder="Name it" maxlength="200" required .value=${desk.now.name} @input=${(event: Event) => desk.rename((event.target as HTMLInputElement).value)} />
      <span class="profile-state ${desk.isChanged ? "changed" : ""}" role="status">${desk.isChanged ? glyph("changed") : nothing} ${state}</span>
      <div class="profile-actions">
        <button type="button" class="button" ?disabled=${!desk.draft.canUndo} @click=${() => desk.undo()} title="Undo (ctrl+z)">Undo</button>
        <button type="button" class="button" ?disabled=${!desk.draft.canRedo} @click=${() => desk.redo()} title="Do again (ctrl+shift+z)">Redo</button>
        <button type="button" class="button primary" ?disabled=${desk.saving || (!desk.isChanged && !!desk.id)} @click=${() => void this.save()} title="Save (ctrl+s)">Save</button>
      </div>
    </header>`;
  }

  private differs(): unknown {
    const { form, differences } = this.desk.now;
    if (!form) return nothing;
    const several = form.profiles.length > 1;
    return html`<section class="differs-list" aria-label="What differs from the default">
      <h2 class="board-title">${differences.length ? html`${glyph("changed")} Differs from the default <span class="quiet num">${differences.length}</span>` : "Nothing differs from the default"}</h2>
      ${differences.length
        ? html`<ul>
            ${differences.map((one) => html`<li><button type="button" class="link" @click=${() => this.show(one)}>${several && one.profile ? html`<span class="quiet">${one.profile}:</span> ` : nothing}${one.text}</button></li>`)}
          </ul>`
        : nothing}
    </section>`;
  }

  private form(catalogue: Board["catalogue"]): TemplateResult {
    const { desk } = this;
    const { form, differences, errors, text, behind } = desk.now;
    const profile = form!.profiles[this.at]!;
    const unread = behind === "form" && errors.length > 0;
    const args = behind === "text" ? form!.profiles : [];
    const placed = errors.map((error) => ({ place: placeInForm(error, behind === "text" ? "" : text, Object.keys(args[profileOf(error)]?.args ?? {})), words: sentenceOf({ ...shortened(error), field: "" }) }));
    const board: Board = {
      desk,
      catalogue,
      at: this.at,
      profile,
      differences,
      errors: placed.filter(({ place }) => place.profile < 0 || place.profile === this.at),
      openArguments: (plugin) => this.openArguments(plugin),
      done: (words, ...controls) => void this.goOn(words, controls),
    };
    return html`${this.tabs()}
      ${unread ? html`<p class="notice">The YAML cannot be read, so the form shows what it last said. Mend the YAML, or undo.</p>` : nothing}
      <fieldset class="profile-fields" ?disabled=${unread} aria-label="Profile ${profile.schedulerName}">
        ${settingsView(board)} ${boardView(board)}
        ${argumentsView(board, this.opened, (plugin, open) => (open ? this.opened.add(plugin) : this.opened.delete(plugin)))}
      </fieldset>`;
  }

  private noForm(): TemplateResult {
    if (this.desk.now.errors.length === 0 && !this.desk.problem) return skeleton(8, "Reading the profile");
    return html`<section class="no-form" aria-label="Errors">
      <h2>kube-scheduler would not start with this YAML, so there is no form of it yet</h2>
      <ul>${this.desk.now.errors.map((error) => html`<li class="bad">${glyph("refused")} ${sentenceOf(shortened(error))}</li>`)}</ul>
      <p class="quiet">Mend what is marked in the YAML.${this.desk.now.errors.some((error) => error.message.endsWith("does not exist")) ? " Plugins from outside the tree are not known here." : ""}</p>
    </section>`;
  }

  private tabs(): TemplateResult {
    const { desk } = this;
    const { profiles } = desk.now.form!;
    const add = () => {
      desk.change((form) => addProfile(form, this.at));
      this.at = profiles.length;
    };
    return html`<div class="profile-tabs">
      ${profiles.length > 1
        ? html`<div class="segmented" role="group" aria-label="Profiles of this configuration">
            ${profiles.map((profile, at) => html`<button type="button" aria-pressed=${at === this.at} @click=${() => this.showProfile(at)}>${profile.schedulerName || "no name"}</button>`)}
          </div>`
        : nothing}
      <button type="button" class="button small" @click=${add} title="Pods choose one by spec.schedulerName">Add a profile</button>
      ${profiles.length > 1 ? html`<button type="button" class="button small" @click=${() => desk.change((form) => removeProfile(form, this.at))}>Remove ${profiles[this.at]!.schedulerName}</button>` : nothing}
    </div>`;
  }

  private showProfile(at: number): void {
    this.at = at;
    this.requestUpdate();
  }

  private async goOn(words: string, controls: readonly string[]): Promise<void> {
    await this.updateComplete;
    const found = controls.map((label) => this.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]:not(:disabled)`));
    found.find((control) => control !== null)?.focus();
    this.querySelector(".profile-said")!.textContent = words;
  }

  private openArguments(plugin: string): void {
    const found = this.querySelector<HTMLDetailsElement>(`[data-arguments="${CSS.escape(plugin)}"]`);
    if (!found) return;
    found.open = true;
    found.scrollIntoView({ block: "nearest" });
    found.querySelector<HTMLElement>("input, select, button, summary")?.focus({ preventScroll: false });
  }

  /** Goes to where a difference is. */
  private show(difference: Difference): void {
    const at = this.desk.now.form?.profiles.findIndex((profile) => profile.schedulerName === difference.profile) ?? -1;
    if (at >= 0) this.showProfile(at);
    void this.updateComplete.then(() => {
      if (difference.change === "args") return this.openArguments(difference.plugin);
      const card = difference.plugin ? `[data-plugin="${CSS.escape(difference.plugin)}"]` : ".profile-settings";
      const where = difference.point ? `[aria-label="${difference.point}"] ${card}` : card;
      const found = this.querySelector<HTMLElement>(where);
      found?.scrollIntoView({ block: "nearest" });
      found?.querySelector<HTMLElement>("input, button:not(:disabled)")?.focus();
    });
  }
}

/** A plugin with another weight; one without weight is not asked for scores. */
function weighed(form: ConfigForm, at: number, name: string, weight: number): ConfigForm {
  if (weight === 0) return turnOff(form, at, ["score"], name);
  return Number.isInteger(weight) && weight > 0 ? setWeight(form, at, name, weight) : form;
}

function profileOf(error: FieldError): number {
  return Number(/^profiles\[(\d+)\]/.exec(error.field ?? "")?.[1] ?? -1);
}

customElements.define("sp-profile", SpProfile);
