/**
 * A stack of edits as a list: each a sentence with a switch, moved by dragging or by buttons, taken away. It draws any desk, so
 * that a what-if and a fork have the same list.
 */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import type { EditStack } from "../trace/edit_stack";
import { editFields } from "./edit_fields";
import { glyph } from "./light";

/** What has a stack of edits: says each as a sentence, knows what is wrong with it, and is told when the stack changes. */
export interface EditDesk {
  readonly stack: EditStack;
  /** Changes the stack; the desk draws again and asks anew. */
  change(how: (stack: EditStack) => void): void;
  sentenceOf(edit: Edit): string;
  /** What is wrong with the n-th edit that is switched on, or nothing. */
  complaintOf(active: number): string;
  /** Opens an edit to be changed, or closes it (null); where a desk has none, edits are only switched, moved and taken away. */
  open?(index: number | null): void;
  /** Which one is open. */
  readonly opened?: number | null;
}

const DRAGGED = "application/x-edit";

/** The head with undo and redo. */
export function editStackHead(desk: EditDesk, title = "Edits"): TemplateResult {
  const { stack } = desk;
  return html`<header class="edits-head">
    <h2 class="sheet-title">${title} ${stack.entries.length ? html`<span class="quiet num">${stack.entries.length}</span>` : nothing}</h2>
    <div class="edits-tools">
      <button type="button" class="button small" ?disabled=${!stack.canUndo} @click=${() => desk.change((it) => it.undo())} title="Undo (ctrl+z)">Undo</button>
      <button type="button" class="button small" ?disabled=${!stack.canRedo} @click=${() => desk.change((it) => it.redo())} title="Do again (ctrl+shift+z)">Redo</button>
      <button type="button" class="button small" ?disabled=${!stack.entries.length} @click=${() => desk.change((it) => it.clear())} title="Take all edits away; undo brings them back">Clear</button>
    </div>
  </header>`;
}

/** The list; nothing where there is no edit. */
export function editStackList(desk: EditDesk): unknown {
  const { entries } = desk.stack;
  if (entries.length === 0) return nothing;
  let active = -1;
  return html`<ol class="edits" @dragover=${dragOver} @dragleave=${dragLeave} @drop=${(event: DragEvent) => drop(event, desk)}>
    ${entries.map((entry, at) => {
      if (entry.on) active += 1;
      return line(desk, at, entry.on ? desk.complaintOf(active) : "");
    })}
  </ol>`;
}

function line(desk: EditDesk, at: number, complaint: string): TemplateResult {
  const entry = desk.stack.entries[at]!;
  const last = desk.stack.entries.length - 1;
  const sentence = desk.sentenceOf(entry.edit);
  const time = timeOf(entry.edit);
  return html`<li class="${entry.on ? "" : "off"} ${complaint ? "refused" : ""}" data-at=${at} draggable="true" @dragstart=${lift} @dragend=${letGo}>
    <label><input type="checkbox" .checked=${entry.on} @change=${() => desk.change((stack) => stack.toggle(at))} /> <span>${sentence}${time ? html` <span class="quiet num">${time}</span>` : nothing}</span></label>
    <span class="edit-tools">
      ${desk.open ? html`<button type="button" class="icon" aria-label="Change: ${sentence}" title="Change it" aria-expanded=${desk.opened === at} @click=${() => desk.open!(desk.opened === at ? null : at)}>✎</button>` : nothing}
      <button type="button" class="icon" aria-label="Earlier: ${sentence}" title="Earlier" ?disabled=${at === 0} @click=${() => desk.change((stack) => stack.move(at, at - 1))}>↑</button>
      <button type="button" class="icon" aria-label="Later: ${sentence}" title="Later" ?disabled=${at === last} @click=${() => desk.change((stack) => stack.move(at, at + 1))}>↓</button>
      <button type="button" class="icon" aria-label="Take away: ${sentence}" title="Take away" @click=${() => desk.change((stack) => stack.remove(at))}>✕</button>
    </span>
    ${complaint ? html`<p class="bad">${glyph("refused")} ${complaint} ${remedy(desk, at, complaint)}</p>` : nothing}
    ${desk.opened === at
      ? editFields(
          entry.edit,
          (edit) => {
            desk.open!(null);
            desk.change((stack) => stack.replace(at, edit));
          },
          () => desk.open!(null),
        )
      : nothing}
  </li>`;
}

/** What kubectl says would help, as a button. */
function remedy(desk: EditDesk, at: number, complaint: string): unknown {
  const { edit } = desk.stack.entries[at]!;
  if (edit.kind !== "drain" || edit["force"] || !/--force|is not found/.test(complaint)) return nothing;
  return html`<button type="button" class="button small" title="As kubectl drain --force does: nobody makes these pods again" @click=${() => desk.change((stack) => stack.replace(at, { ...edit, force: true }))}>Evict them too</button>`;
}

function timeOf(edit: Edit): string {
  if (typeof edit["cycle"] === "number") return `before cycle ${edit["cycle"]}`;
  const at = edit["at"];
  return typeof at === "string" && at && edit.kind !== "wait" ? `at ${at}` : "";
}

function lift(event: DragEvent): void {
  const item = event.currentTarget as HTMLElement;
  event.dataTransfer?.setData(DRAGGED, item.dataset["at"] ?? "");
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  item.classList.add("lifted");
}

function letGo(event: DragEvent): void {
  (event.currentTarget as HTMLElement).classList.remove("lifted");
}

/** Where a drop would put it: before the line it is over, or after it in its lower half. */
function placeOf(event: DragEvent): { item: HTMLElement; after: boolean } | null {
  const item = (event.target as Element).closest<HTMLElement>("li[data-at]");
  if (!item) return null;
  const box = item.getBoundingClientRect();
  return { item, after: event.clientY > box.top + box.height / 2 };
}

function dragOver(event: DragEvent): void {
  if (!event.dataTransfer?.types.includes(DRAGGED)) return;
  event.preventDefault();
  clearMarks(event.currentTarget as HTMLElement);
  const place = placeOf(event);
  place?.item.classList.add(place.after ? "drop-after" : "drop-before");
}

function dragLeave(event: DragEvent): void {
  clearMarks(event.currentTarget as HTMLElement);
}

function drop(event: DragEvent, desk: EditDesk): void {
  clearMarks(event.currentTarget as HTMLElement);
  const from = Number(event.dataTransfer?.getData(DRAGGED) || NaN);
  const place = placeOf(event);
  if (!place || Number.isNaN(from)) return;
  event.preventDefault();
  const before = Number(place.item.dataset["at"]) + (place.after ? 1 : 0);
  desk.change((stack) => stack.move(from, before > from ? before - 1 : before));
}

function clearMarks(list: HTMLElement): void {
  for (const item of list.querySelectorAll(".drop-before, .drop-after")) item.classList.remove("drop-before", "drop-after");
}
