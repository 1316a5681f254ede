/** Hides what does not hold the words typed, and opens the part of the page that the address names. */

import { html } from "lit";
import { LightElement } from "./light";

class SpFilter extends LightElement {
  static override properties = { placeholder: {} };
  declare placeholder: string;

  private readonly open = (): void => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named instanceof HTMLDetailsElement) named.open = true;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.open);
    this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.open);
  }

  private show(text: string): void {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const part of document.querySelectorAll<HTMLElement>("[data-filter]")) {
      const held = (part.dataset["filter"] ?? "").toLowerCase();
      part.hidden = !words.every((word) => held.includes(word));
    }
  }

  protected override render(): unknown {
    return html`<input
      type="search"
      class="input"
      aria-label=${this.placeholder}
      placeholder=${this.placeholder}
      @input=${(event: Event) => this.show((event.target as HTMLInputElement).value)}
    />`;
  }
}

customElements.define("sp-filter", SpFilter);
