/** The command palette (ctrl+k): every action, pod, node and cycle of the page by a few letters. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { findCommands } from "../base/commands";
import type { Command } from "../base/commands";
import { keyMap } from "../base/keys";
import { LightElement } from "./light";
import { caps } from "./sp-keys";

class SpPalette extends LightElement {
  private text = "";
  private chosen = 0;
  private found: Command[] = [];
  private release: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = keyMap.add({ keys: "ctrl+k", label: "command palette", group: "Page", run: () => this.open() });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  private open(): void {
    if (this.dialog?.open) return;
    this.text = "";
    this.look();
    this.dialog?.showModal();
    this.querySelector("input")?.focus();
  }

  private look(): void {
    this.found = findCommands(this.text);
    this.chosen = 0;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="icon text wide-only" aria-label="Command palette" title="Command palette (Ctrl+K)" @click=${() => this.open()}>⌘K</button>
      <dialog class="palette" aria-label="Command palette" @click=${this.outside}>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant=${this.found.length ? `palette-${this.chosen}` : nothing}
          aria-label="Find an action, a pod, a node or a cycle"
          placeholder="Find an action, a pod, a node or a cycle"
          autocomplete="off"
          spellcheck="false"
          .value=${this.text}
          @input=${this.typed}
          @keydown=${this.key}
        />
        <ul id="palette-list" role="listbox" aria-label="Found">
          ${this.found.map((command, i) => this.option(command, i))}
        </ul>
        ${this.found.length === 0 ? html`<p class="empty">Nothing is called so. Try a part of a name.</p>` : nothing}
      </dialog>`;
  }

  private option(command: Command, i: number): TemplateResult {
    const isKey = command.aside && keyMap.bindings.some((binding) => binding.keys === command.aside);
    return html`<li id="palette-${i}" role="option" aria-selected=${i === this.chosen} @click=${() => this.run(command)} @pointermove=${() => this.choose(i)}>
      <span class="palette-title">${command.title}</span>
      <span class="quiet">${command.group}</span>
      ${command.aside ? (isKey ? html`<span class="palette-keys">${caps(command.aside)}</span>` : html`<span class="quiet">${command.aside}</span>`) : nothing}
    </li>`;
  }

  private choose(i: number): void {
    if (i === this.chosen) return;
    this.chosen = i;
    this.requestUpdate();
  }

  private run(command: Command | undefined): void {
    if (!command) return;
    this.dialog?.close();
    command.run();
  }

  private readonly outside = (event: MouseEvent) => {
    if (event.target === this.dialog) this.dialog?.close();
  };

  private readonly typed = (event: Event) => {
    this.text = (event.target as HTMLInputElement).value;
    this.look();
  };

  private readonly key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.choose((this.chosen + step + this.found.length) % Math.max(1, this.found.length));
      void this.updateComplete.then(() => this.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
    } else if (event.key === "Enter") this.run(this.found[this.chosen]);
    else return;
    event.preventDefault();
  };
}

customElements.define("sp-palette", SpPalette);
