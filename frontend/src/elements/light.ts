/** What all elements share: light DOM, a fallback rendered by the server, the run they belong to. */

import { LitElement, html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { GLYPHS } from "../base/glyphs";
import type { Glyph, GlyphName } from "../base/glyphs";
import type { SpRun } from "./sp-run";

/** An island in light DOM: the page's styles apply, and what the server rendered stays until there is something better. */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    this.renderOptions.renderBefore = this.firstChild;
    return this;
  }

  private fallback = true;

  protected dropFallback(): void {
    if (!this.fallback) return;
    this.fallback = false;
    this.querySelector(":scope > [data-fallback]")?.remove();
  }
}

/** A view of a run: drawn anew when the run's store, selection or model has changed. */
export class RunView extends LightElement {
  run!: SpRun;
  /**
   * How often it is drawn while the playhead is drawn along: every frame, every second one, in turn with the others in the
   * frames between, or only when the playhead rests.
   */
  readonly pace: "every" | "second" | "turn" | "rest" = "turn";

  override connectedCallback(): void {
    const run = this.closest<SpRun>("sp-run");
    if (!run) throw new Error(`<${this.localName}> stands outside of <sp-run>`);
    this.run = run;
    super.connectedCallback();
    run.views.add(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.run.views.delete(this);
  }

  /** A name among many: while the playhead is drawn along it is cut at its end, which is less to lay out. */
  protected name(name: string, shown = name): TemplateResult {
    return this.run.moving ? html`<span class="name">${shown}</span>` : nameText(name, shown);
  }

  protected override updated(changes: PropertyValues): void {
    super.updated(changes);
    if (this.run.ready) this.dropFallback();
  }
}

/** The glyph of a state. With a label it is an image with that name, without one it is decoration. */
export function glyph(name: GlyphName, label?: string): TemplateResult {
  const shape: Glyph = GLYPHS[name];
  return html`<svg
    class="glyph g-${name}"
    viewBox="0 0 12 12"
    role=${label ? "img" : nothing}
    aria-label=${label ?? nothing}
    aria-hidden=${label ? nothing : "true"}
  >
    <path class="fill" d=${shape.fill ?? ""}></path>
    <path class="stroke" d=${shape.stroke ?? ""} stroke-dasharray=${shape.dash ?? nothing}></path>
  </svg>`;
}

/** A button that copies a text and says that it did. */
export function copyButton(text: string, what: string): TemplateResult {
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLButtonElement;
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = "Could not copy";
    }
    button.dataset["said"] = said;
    setTimeout(() => delete button.dataset["said"], 1400);
  };
  return html`<button type="button" class="copy" @click=${copy} aria-label="Copy ${what}" title="Copy ${what}">
    <svg viewBox="0 0 12 12" aria-hidden="true"><path d="M4 4V1.5h6.5V8H8M1.5 4H8v6.5H1.5z"></path></svg>
  </button>`;
}

const TAIL = 6;
const LONGEST_TAIL = 10;
const MOST = 24;

/** Where the part of a name that is always shown begins: at its last dash, as a rule. */
function tailOf(name: string): number {
  const dot = name.indexOf(".");
  const dash = name.lastIndexOf("-", dot < 0 ? undefined : dot);
  const longest = dot < 0 ? LONGEST_TAIL : LONGEST_TAIL + name.length - dot;
  return dash > 0 && name.length - dash <= Math.min(longest, MOST) ? dash : Math.max(0, name.length - TAIL);
}

/**
 * A name that gives way in its middle where there is no room, for what tells names apart stands at their end; whole in the
 * tooltip.
 */
export function nameText(name: string, shown = name): TemplateResult {
  const at = tailOf(shown);
  return html`<span class="name split" title=${name}
    ><span class="whole">${shown}</span><span aria-hidden="true">${shown.slice(0, at)}</span><span aria-hidden="true">${shown.slice(at)}</span></span
  >`;
}

/** Grey bars where text will stand. */
export function skeleton(rows: number, label: string): TemplateResult {
  return html`<div class="skeleton" role="status" aria-label=${label}>
    ${Array.from({ length: rows }, () => html`<span></span>`)}
  </div>`;
}

/** A state with nothing in it: what is so, and the next step. */
export function emptyState(title: string, next: unknown): TemplateResult {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${next}</p></div>`;
}

export function fire(target: EventTarget, name: string, detail?: unknown): void {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
}
