/** Explains a word that was asked for beside it, and lists them all. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { GLOSSARY, addressOf, lookUp } from "../base/glossary";
import type { Entry } from "../base/glossary";
import { keyMap } from "../base/keys";
import { LightElement, emptyState } from "./light";

const WIDTH = 320;
const GAP = 6;

class SpGlossary extends LightElement {
  private shown: Entry | null = null;
  private search = "";
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("click", this.asked);
    this.release = keyMap.add({ keys: "g w", label: "words: the glossary", group: "Page", run: () => this.open() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("click", this.asked);
    this.release();
  }

  /** Shows all words. */
  open(): void {
    this.querySelector("dialog")?.showModal();
  }

  private readonly asked = (event: MouseEvent) => {
    const word = (event.target as Element | null)?.closest?.<HTMLElement>("[data-term]");
    const entry = word ? lookUp(word.dataset["term"] ?? "") : undefined;
    if (!word || !entry) return;
    event.preventDefault();
    this.shown = entry;
    this.requestUpdate();
    void this.updateComplete.then(() => this.place(word));
  };

  /** Puts the explanation beside the word: below it, above where there is no room. */
  private place(word: HTMLElement): void {
    const box = this.querySelector<HTMLElement>(".explained");
    if (!box) return;
    box.showPopover();
    const at = word.getBoundingClientRect();
    const { offsetHeight } = box;
    const below = at.bottom + GAP + offsetHeight < window.innerHeight;
    box.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - WIDTH - 8))}px`;
    box.style.top = `${Math.max(8, below ? at.bottom + GAP : at.top - GAP - offsetHeight)}px`;
    box.focus();
  }

  protected override render(): TemplateResult {
    return html`<div class="explained" popover tabindex="-1" role="dialog" aria-label=${this.shown?.word ?? "Explanation"}>
        ${this.shown ? explanation(this.shown) : nothing}
      </div>
      <dialog class="glossary" aria-labelledby="glossary-title">
        <div class="dialog-head">
          <h2 id="glossary-title">Words</h2>
          <button type="button" class="close" aria-label="Close" @click=${() => this.querySelector("dialog")?.close()}>✕</button>
        </div>
        <input type="search" aria-label="Find a word" placeholder="Find a word" .value=${this.search} @input=${this.find} />
        ${this.list()}
      </dialog>`;
  }

  private readonly find = (event: Event) => {
    this.search = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  };

  private list(): TemplateResult {
    const text = this.search.trim().toLowerCase();
    const found = GLOSSARY.filter((one) => `${one.word} ${one.text}`.toLowerCase().includes(text));
    if (found.length === 0) return emptyState(`Nothing about “${this.search}”`, "Try a part of the word.");
    return html`<div class="glossary-list" tabindex="0">${[...found].sort((a, b) => a.word.localeCompare(b.word, "en")).map(explanation)}</div>`;
  }
}

function explanation(entry: Entry): TemplateResult {
  return html`<section class="glossary-entry">
    <h3>${entry.word}</h3>
    <p>${entry.text}</p>
    <a href=${addressOf(entry)} rel="noreferrer" target="_blank">kubernetes.io${entry.path}</a>
  </section>`;
}

customElements.define("sp-glossary", SpGlossary);
