/** An edit opened to be changed: a field for each of its values, and its time. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import { durationOf } from "./edit_forms";

type Value = Edit[string];

export function editFields(edit: Edit, save: (edit: Edit) => void, close: () => void): TemplateResult {
  const names = Object.keys(edit).filter((name) => name !== "kind" && name !== "at");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const next: Edit = { kind: edit.kind };
    for (const name of names) {
      const input = form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement;
      const value = read(edit[name], input);
      if (value === undefined) return;
      next[name] = value;
    }
    const at = (form.elements.namedItem("at") as HTMLInputElement).value.trim();
    if (at) next["at"] = durationOf(at);
    save(next);
  };
  return html`<form class="edit-fields" @submit=${submit}>
    ${names.map((name) => field(name, edit[name]))}
    <label><span>at</span> <input name="at" type="text" placeholder="0s" .value=${String(edit["at"] ?? "")} title="Since the start, as 90s or 1m30s" /></label>
    <span class="edit-tools"><button class="button small">Change</button><button type="button" class="button small" @click=${close}>Cancel</button></span>
  </form>`;
}

function field(name: string, value: Value): TemplateResult {
  if (typeof value === "boolean") return html`<label class="check"><input name=${name} type="checkbox" ?checked=${value} /> ${name}</label>`;
  if (typeof value === "number") return html`<label><span>${name}</span> <input name=${name} type="number" step="any" .value=${String(value)} required /></label>`;
  if (typeof value === "string") return html`<label><span>${name}</span> <input name=${name} type="text" .value=${value} /></label>`;
  if (isNames(value)) return html`<label><span>${name}</span> <input name=${name} type="text" .value=${value.join(", ")} title="Several with commas between" /></label>`;
  return html`<label class="wide"><span>${name}</span> <textarea name=${name} class="mono" rows="4" spellcheck="false" .value=${JSON.stringify(value, null, 1)}></textarea></label>${nothing}`;
}

const isNames = (value: Value): value is string[] => Array.isArray(value) && value.every((each) => typeof each === "string");

/** What stands in a field, as the edit had it; undefined, said at the field, where it cannot be read. */
function read(was: Value, input: HTMLInputElement | HTMLTextAreaElement): Value | undefined {
  if (typeof was === "boolean") return (input as HTMLInputElement).checked;
  if (typeof was === "number") return Number(input.value);
  if (typeof was === "string") return input.value.trim();
  if (isNames(was)) return input.value.split(",").map((part) => part.trim()).filter(Boolean);
  try {
    input.setCustomValidity("");
    return JSON.parse(input.value) as Value;
  } catch (error) {
    input.setCustomValidity(`This is not JSON: ${(error as Error).message}`);
    input.reportValidity();
    return undefined;
  }
}
