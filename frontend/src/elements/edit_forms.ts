/** Small forms and buttons that put an edit on the stack. */

import { html } from "lit";
import type { TemplateResult } from "lit";

export type Values = Record<string, string>;

export function act(label: string, title: string, click: () => void, risky = false): TemplateResult {
  return html`<button type="button" class="button small ${risky ? "risky" : ""}" title=${title} @click=${click}>${label}</button>`;
}

/** A line with fields and a button; the fields are emptied when it is sent. */
export function editLine(fields: unknown, label: string, done: (values: Values, form: HTMLFormElement) => void, keeps = false): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    done(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()])), form);
    if (!keeps) form.reset();
  };
  return html`<form class="edit-form" @submit=${submit}>
    ${fields}
    <button class="button small">${label}</button>
  </form>`;
}

/** What people type as key=value, key=value … */
export function pairsOf(text: string): Record<string, string> {
  const parts = text.split(/[,\s]+/).filter(Boolean);
  return Object.fromEntries(parts.map((part) => [part.split("=", 1)[0]!, part.includes("=") ? part.slice(part.indexOf("=") + 1) : ""]));
}

/** A duration as the API takes it: "90" is seconds. */
export function durationOf(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? `${text}s` : text;
}

export const DURATION = "[0-9.]+(ns|us|µs|ms|s|m|h)?([0-9.]+(ms|s|m|h))*";
