/** The map of keys, opened with `?`. */

import { html } from "lit";
import { keyMap } from "../base/keys";
import type { KeyBinding } from "../base/keys";
import { LightElement } from "./light";

const SIGNS: Record<string, string> = { left: "←", right: "→", up: "↑", down: "↓", shift: "⇧", escape: "Esc", space: "space", home: "Home", end: "End", ctrl: "Ctrl" };

class SpKeys extends LightElement {
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = keyMap.add({ keys: "?", label: "this map of keys", group: "Page", run: () => this.toggle() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  private toggle(): void {
    const dialog = this.querySelector("dialog");
    if (!dialog) return;
    if (dialog.open) dialog.close();
    else {
      this.requestUpdate();
      dialog.showModal();
    }
  }

  protected override render(): unknown {
    const groups = new Map<string, KeyBinding[]>();
    for (const binding of keyMap.bindings) groups.set(binding.group, [...(groups.get(binding.group) ?? []), binding]);
    return html`<button type="button" class="icon text" aria-label="Keyboard" title="Keyboard (?)" @click=${() => this.toggle()}>?</button>
      <dialog class="keys" aria-labelledby="keys-title">
        <div class="dialog-head"><h2 id="keys-title">Keyboard</h2><button type="button" class="close" aria-label="Close" @click=${() => this.toggle()}>✕</button></div>
        <div class="key-groups">
          ${[...groups].map(
            ([group, bindings]) => html`<section>
              <h3>${group}</h3>
              <dl>${bindings.map((binding) => html`<div><dt>${caps(binding.keys)}</dt><dd>${binding.label}</dd></div>`)}</dl>
            </section>`,
          )}
        </div>
      </dialog>`;
  }
}

export function caps(keys: string): unknown {
  return keys.split(" ").map((press) => press.split("+").map((part) => html`<kbd>${SIGNS[part] ?? part}</kbd>`));
}

customElements.define("sp-keys", SpKeys);
