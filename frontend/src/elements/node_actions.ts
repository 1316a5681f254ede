/** What can be done with a node, or with several at once. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import type { NodeItem } from "../api/types";
import { counted } from "../base/format";
import { ZONE_LABEL } from "../trace/hierarchy";
import { DURATION, act, durationOf, editLine, pairsOf } from "./edit_forms";
import type { Values } from "./edit_forms";

export type Add = (...edits: Edit[]) => void;

const HOST = "kubernetes.io/hostname";
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Buttons for nodes by name. */
export function nodeButtons(nodes: string[], items: readonly NodeItem[], add: Add): TemplateResult {
  const all = (is: (node: NodeItem) => boolean) => items.length > 0 && items.every(is);
  return html`<div class="edit-buttons">
    ${all((node) => node.unschedulable) ? nothing : act("Cordon", "No new pods there", () => add({ kind: "cordon", nodes }))}
    ${items.some((node) => node.unschedulable) ? act("Uncordon", "Let pods be scheduled there again", () => add({ kind: "uncordon", nodes })) : nothing}
    ${act("Drain", "Cordon and evict the pods, as kubectl drain does", () => add({ kind: "drain", nodes }))}
    ${all((node) => node.ready === false) ? nothing : act("Lose", "Nothing is heard of it any more", () => add({ kind: "lose", nodes }))}
    ${items.some((node) => node.ready === false) ? act("Restore", "It is heard of again", () => add({ kind: "restore", nodes })) : nothing}
    ${act("Remove", "Delete the node", () => add({ kind: "removeNodes", nodes }), true)}
  </div>`;
}

/** The lines that several nodes have as one has: taints and ways to drain. */
export function nodeLines(nodes: string[], add: Add): TemplateResult {
  return html`${editLine(
      html`<label>Taint <input name="taint" type="text" placeholder="key=value" required pattern="[^:\\s]+" /></label>
        <select name="effect" aria-label="Effect">${EFFECTS.map((effect) => html`<option>${effect}</option>`)}</select>`,
      "Taint",
      (values) => add({ kind: "taint", nodes, taint: `${values["taint"]}:${values["effect"]}` }),
    )}
    <details class="edit-more">
      <summary>Drain otherwise</summary>
      ${editLine(
        html`<label class="check"><input name="force" type="checkbox" /> pods that nobody makes again, too</label>
          <label class="check"><input name="disableEviction" type="checkbox" /> without asking disruption budgets</label>
          <label>grace, s <input name="graceSeconds" type="number" min="0" max="86400" /></label>
          <label>give up after <input name="timeout" type="text" placeholder="5m" pattern=${DURATION} /></label>`,
        "Drain so",
        (values) => add(drain(nodes, values)),
      )}
    </details>`;
}

function drain(nodes: string[], values: Values): Edit {
  const { force, disableEviction, graceSeconds, timeout } = values;
  return {
    kind: "drain",
    nodes,
    ...(force ? { force: true } : {}),
    ...(disableEviction ? { disableEviction: true } : {}),
    ...(graceSeconds ? { graceSeconds: Number(graceSeconds) } : {}),
    ...(timeout ? { timeout: durationOf(timeout) } : {}),
  };
}

export function nodeActions(node: NodeItem, all: readonly (NodeItem | undefined)[], add: Add): TemplateResult {
  const nodes = [node.name];
  return html`${nodeButtons(nodes, [node], add)} ${loseLine(node, all, add)}
    ${editLine(
      html`<label>Add <input name="count" type="number" min="1" max="1000" value="1" required /> like it</label>
        <details class="edit-more inline"><summary>named</summary><label>name <input name="name" type="text" placeholder="spot-{n}" /></label><label>labels <input name="labels" type="text" placeholder="key=value" /></label></details>`,
      "Add",
      (values) => add(addNodes(node.name, values)),
    )}
    ${nodeLines(nodes, add)} ${taints(node, add)}
    ${editLine(html`<label>Label <input name="label" type="text" placeholder="key=value, or key- to remove" required /></label>`, "Label", (values) => add(labelEdit(`Node/${node.name}`, values["label"] ?? "")))}`;
}

function addNodes(like: string, values: Values): Edit {
  const { name, labels } = values;
  return { kind: "addNodes", like, count: Number(values["count"]) || 1, ...(name ? { name } : {}), ...(labels ? { labels: pairsOf(labels) } : {}) };
}

/** Everything with one of this node's labels may be lost together: its zone first. */
function loseLine(node: NodeItem, all: readonly (NodeItem | undefined)[], add: Add): unknown {
  const labels = Object.entries(node.labels).filter(([key]) => key !== HOST);
  if (labels.length === 0) return nothing;
  const sharing = (key: string, value: string) => all.reduce((sum, each) => sum + (each?.labels[key] === value ? 1 : 0), 0);
  const sorted = [...labels].sort(([a], [b]) => Number(b === ZONE_LABEL) - Number(a === ZONE_LABEL) || a.localeCompare(b));
  return editLine(
    html`<label>All with <select name="label" aria-label="Label that the nodes share">
      ${sorted.map(([key, value]) => html`<option value="${key}=${value}">${key === ZONE_LABEL ? `zone ${value}` : `${key}=${value}`} (${counted(sharing(key, value), "node")})</option>`)}
    </select></label>`,
    "Lose",
    (values) => {
      const [[key, value] = ["", ""]] = Object.entries(pairsOf(values["label"] ?? ""));
      add(key === ZONE_LABEL ? { kind: "lose", zone: value } : { kind: "lose", selector: { [key]: value } });
    },
    true,
  );
}

function taints(node: NodeItem, add: Add): unknown {
  const own = node.taints.filter((taint) => !taint.key.startsWith("node.kubernetes.io/"));
  if (own.length === 0) return nothing;
  return html`<ul class="chips" aria-label="Taints">
    ${own.map((taint) => {
      const text = `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`;
      return html`<li class="chip mono">${text} <button type="button" aria-label="Take taint ${text} off" title="Take it off" @click=${() => add({ kind: "untaint", nodes: [node.name], taint: `${taint.key}:${taint.effect}` })}>✕</button></li>`;
    })}
  </ul>`;
}

export function labelEdit(object: string, text: string): Edit {
  if (/^[^=\s]+-$/.test(text)) return { kind: "label", object, remove: [text.slice(0, -1)] };
  return { kind: "label", object, labels: pairsOf(text) };
}
