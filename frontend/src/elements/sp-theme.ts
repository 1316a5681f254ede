/** Light or dark, by hand. */

import { html } from "lit";
import { keyMap } from "../base/keys";
import { chooseTheme, currentTheme, onTheme } from "../base/theme";
import { LightElement } from "./light";

const SUN = "M6 3.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8zM6 .8v1.2M6 10v1.2M.8 6H2M10 6h1.2M2.3 2.3l.9.9M8.8 8.8l.9.9M9.7 2.3l-.9.9M3.2 8.8l-.9.9";
const MOON = "M9.8 7.6A4.4 4.4 0 0 1 4.4 2.2a4.4 4.4 0 1 0 5.4 5.4z";

class SpTheme extends LightElement {
  private forget: () => void = () => undefined;
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = onTheme(() => this.requestUpdate());
    this.release = keyMap.add({ keys: "t", label: "light or dark", group: "Page", run: () => this.toggle() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
    this.release();
  }

  private toggle(): void {
    chooseTheme(currentTheme() === "dark" ? "light" : "dark");
  }

  protected override render(): unknown {
    const dark = currentTheme() === "dark";
    const label = dark ? "Change to light" : "Change to dark";
    return html`<button type="button" class="icon line" aria-label=${label} title="${label} (t)" @click=${() => this.toggle()}>
      <svg viewBox="0 0 12 12" aria-hidden="true"><path d=${dark ? SUN : MOON}></path></svg>
    </button>`;
  }
}

customElements.define("sp-theme", SpTheme);
