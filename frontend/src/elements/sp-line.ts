/** A line for the shell with a button that copies it; without its own text it is the one that makes a snapshot. */

import { html } from "lit";
import { LightElement, copyButton } from "./light";

const GIVEN = "meta[name=snapshot-line]";

class SpLine extends LightElement {
  protected override render(): unknown {
    const here = this.querySelector("[data-line]");
    const line = here?.textContent ?? document.querySelector<HTMLMetaElement>(GIVEN)?.content ?? "";
    return html`${here ? "" : html`<code tabindex="0">${line}</code>`} ${copyButton(line, "the line")}`;
  }
}

customElements.define("sp-line", SpLine);
