/** What can be done with the selected node or pod, each a button that puts an edit on the stack. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import type { NodeItem, PodItem } from "../api/types";
import { podName, quantity } from "../base/format";

export type Add = (...edits: Edit[]) => void;

const ZONE = "topology.kubernetes.io/zone";

function button(label: string, title: string, click: () => void): TemplateResult {
  return html`<button type="button" class="button small" title=${title} @click=${click}>${label}</button>`;
}

export function nodeActions(node: NodeItem, add: Add): TemplateResult {
  const nodes = [node.name];
  const zone = node.labels[ZONE];
  return html`<div class="edit-actions" role="group" aria-label="Change ${node.name}">
    <p class="mono">${node.name}</p>
    ${node.unschedulable
      ? button("Uncordon", "Let pods be scheduled there again", () => add({ kind: "uncordon", nodes }))
      : button("Cordon", "No new pods there", () => add({ kind: "cordon", nodes }))}
    ${button("Drain", "Cordon it and evict its pods, as kubectl drain does", () => add({ kind: "drain", nodes }))}
    ${button("Drain, forced", "Evict what kubectl drain --force evicts too: pods that nobody makes again", () => add({ kind: "drain", nodes, force: true }))}
    ${button("Lose", "Nothing is heard of it any more", () => add({ kind: "lose", nodes }))}
    ${zone ? button(`Lose zone ${zone}`, "Every node of this zone goes dark", () => add({ kind: "lose", zone })) : nothing}
    ${button("Remove", "Delete the node", () => add({ kind: "removeNodes", nodes }))}
    <form class="edit-form" @submit=${form((values) => add({ kind: "addNodes", like: node.name, count: Number(values["count"]) || 1 }))}>
      <label>Add <input name="count" type="number" min="1" max="1000" value="1" required /> like it</label>
      <button class="button small">Add</button>
    </form>
    <form class="edit-form" @submit=${form((values) => add({ kind: "taint", nodes, taint: values["taint"] ?? "" }))}>
      <label>Taint <input name="taint" type="text" placeholder="key=value:NoSchedule" required pattern="[^:]+:(NoSchedule|PreferNoSchedule|NoExecute)" /></label>
      <button class="button small">Taint</button>
    </form>
    ${node.taints.map((taint) =>
      button(`Untaint ${taint.key}`, `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`, () => add({ kind: "untaint", nodes, taint: `${taint.key}:${taint.effect}` })),
    )}
    <form class="edit-form" @submit=${form((values) => add(labelEdit(`Node/${node.name}`, values["label"] ?? "")))}>
      <label>Label <input name="label" type="text" placeholder="key=value, or key- to remove" required /></label>
      <button class="button small">Label</button>
    </form>
  </div>`;
}

function labelEdit(object: string, text: string): Edit {
  if (text.endsWith("-")) return { kind: "label", object, remove: [text.slice(0, -1)] };
  const [key = "", ...rest] = text.split("=");
  return { kind: "label", object, labels: { [key]: rest.join("=") } };
}

export function podActions(pod: PodItem, workload: string, reschedule: (() => void) | null, add: Add): TemplateResult {
  const key = `${pod.namespace}/${pod.name}`;
  const object = workload || `Pod/${key}`;
  const cpu = pod.requests["cpu"] ?? 0;
  return html`<div class="edit-actions" role="group" aria-label="Change ${key}">
    <p class="mono">${podName(key)}</p>
    ${button("Delete", "Delete the pod; its owner makes another", () => add({ kind: "delete", object: `Pod/${key}` }))}
    ${pod.node && reschedule ? button("Reschedule", "As if it had no node", reschedule) : nothing}
    ${workload
      ? html`<form class="edit-form" @submit=${form((values) => add({ kind: "scale", object: workload, replicas: Number(values["replicas"]) || 0 }))}>
          <label>Scale ${workload.split("/")[0]} to <input name="replicas" type="number" min="0" max="10000" value="3" required /></label>
          <button class="button small">Scale</button>
        </form>`
      : nothing}
    <form class="edit-form" @submit=${form((values) => add({ kind: "setRequests", object, requests: { cpu: `${values["cpu"] ?? "0"}m` } }))}>
      <label>
        Request <output>${quantity("cpu", cpu)}</output> cpu
        <input name="cpu" type="range" min="10" max=${Math.max(1000, cpu * 3)} step="10" .value=${String(cpu || 100)} @input=${showCpu} />
      </label>
      <button class="button small">Set</button>
    </form>
  </div>`;
}

function showCpu(event: Event): void {
  const input = event.target as HTMLInputElement;
  const output = input.form?.querySelector("output");
  if (output) output.textContent = quantity("cpu", Number(input.value));
}

function form(done: (values: Record<string, string>) => void): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    const target = event.target as HTMLFormElement;
    done(Object.fromEntries([...new FormData(target)].map(([name, value]) => [name, String(value)])));
    target.reset();
  };
}
