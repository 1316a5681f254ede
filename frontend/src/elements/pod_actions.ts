/** What can be done with a pod, and with the workload that it belongs to. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import type { KubeObject } from "../api/objects";
import type { PodItem } from "../api/types";
import { quantity } from "../base/format";
import { replacing } from "../trace/replacing";
import { act, editLine } from "./edit_forms";
import type { Add } from "./node_actions";

const MIB = 1 << 20;
const CPU_STEP = 10;
const MEMORY_STEP = 16;

export interface PodSubject {
  pod: PodItem;
  /** That sets its number, as an edit names it; nothing where there is none. */
  workload: string;
  /** As it is stored; null until it was read, and for pods that edits brought. */
  object: KubeObject | null;
  classes: readonly string[];
  nodes: readonly string[];
  container: string;
  /** What the last edit of its requests says: a slider stays where it was put. */
  asked?: Record<string, string>;
}

/** What a desk can do; what it cannot is not offered. */
export interface PodDeeds {
  add: Add;
  /** Follows a slider. */
  tune: (edit: Edit, movement: symbol) => void;
  reschedule?: () => void;
  put?: (node: string) => void;
  choose?: (container: string) => void;
}

interface Container {
  name: string;
  image?: string;
  resources?: { requests?: Record<string, string | number> };
}

export const containersOf = (object: KubeObject | null): Container[] => ((object?.["spec"] as { containers?: Container[] } | undefined)?.containers ?? []);

export function podActions(subject: PodSubject, deeds: PodDeeds, replicas: number): TemplateResult {
  const { pod, object } = subject;
  const key = `${pod.namespace}/${pod.name}`;
  const { workload } = subject;
  return html`<div class="edit-buttons">
      ${pod.node && deeds.reschedule ? act("Reschedule", "As if it had no node", deeds.reschedule) : nothing}
      ${act("Delete", workload ? "Delete the pod; its owner makes another" : "Delete the pod", () => deeds.add({ kind: "delete", object: `Pod/${key}` }), true)}
      ${workload ? act(`Delete ${workload.split("/")[0]}`, `Delete ${workload} and its pods`, () => deeds.add({ kind: "delete", object: workload }), true) : nothing}
    </div>
    ${!deeds.put ? nothing : editLine(
      html`<label title="The pod is deleted and applied again with a node affinity: the scheduler puts it there if it fits">What if on <input name="node" type="text" list="nodes-of-cluster" placeholder=${pod.node ?? "node"} required /></label>`,
      "Ask",
      (values) => deeds.put!(values["node"] ?? ""),
    )}
    ${requests(subject, workload || `Pod/${key}`, deeds)}
    ${workload
      ? editLine(html`<label>Scale ${workload.split("/")[0]} to <input name="replicas" type="number" min="0" max="100000" .value=${String(replicas)} required /></label>`, "Scale", (values) => deeds.add({ kind: "scale", object: workload, replicas: Number(values["replicas"]) || 0 }), true)
      : nothing}
    <details class="edit-more">
      <summary>Image, priority, label</summary>
      ${editLine(html`<label>Image <input name="image" type="text" placeholder=${containersOf(object)[0]?.image ?? "registry/name:tag"} required /></label>`, "Set", (values) => deeds.add({ kind: "setImage", object: workload || `Pod/${key}`, image: values["image"]!, ...named(subject) }))}
      ${priority(subject, workload, deeds.add)}
      ${editLine(html`<label>Label <input name="label" type="text" placeholder="key=value" required pattern="[^=\\s]+=\\S*" /></label>`, "Label", (values) => {
        const [name = "", value = ""] = (values["label"] ?? "").split("=");
        deeds.add({ kind: "label", object: `Pod/${key}`, labels: { [name]: value } });
      })}
    </details>`;
}

const named = ({ container }: PodSubject): { container?: string } => (container ? { container } : {});

/** Sliders of cpu and memory: the answer follows them. */
function requests(subject: PodSubject, target: string, deeds: PodDeeds): unknown {
  const { pod, object, container } = subject;
  const containers = containersOf(object);
  const one = containers.length <= 1;
  const share = one ? 1 : 1 / containers.length;
  const asked = subject.asked ?? {};
  const cpu = asked["cpu"] ? parseInt(asked["cpu"], 10) : Math.round((pod.requests["cpu"] ?? 0) * share);
  const memory = asked["memory"] ? parseInt(asked["memory"], 10) : Math.round(((pod.requests["memory"] ?? 0) * share) / MIB);
  return html`<fieldset class="sliders">
    <legend>Requests ${target.startsWith("Pod/") ? "" : `of ${target.split("/")[0]}`}${one ? nothing : " by container"}</legend>
    ${one
      ? nothing
      : html`<select aria-label="Container" @change=${(event: Event) => deeds.choose?.((event.target as HTMLSelectElement).value)}>
          <option value="" ?selected=${!container}>each container</option>
          ${containers.map(({ name }) => html`<option value=${name} ?selected=${name === container}>${name}</option>`)}
        </select>`}
    ${slider("cpu", cpu, CPU_STEP, Math.max(1000, cpu * 3), (value) => `${value}m`, (value) => quantity("cpu", value), target, subject, deeds)}
    ${slider("memory", memory, MEMORY_STEP, Math.max(2048, memory * 3), (value) => `${value}Mi`, (value) => quantity("memory", value * MIB), target, subject, deeds)}
  </fieldset>`;
}

const movements = new WeakMap<EventTarget, symbol>();

function slider(resource: string, value: number, step: number, most: number, written: (value: number) => string, shown: (value: number) => string, target: string, subject: PodSubject, deeds: PodDeeds): TemplateResult {
  const slide = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const now = Number(input.value);
    const output = input.parentElement?.querySelector("output");
    if (output) output.value = shown(now);
    input.setAttribute("aria-valuetext", shown(now));
    const movement = movements.get(input) ?? Symbol(resource);
    movements.set(input, movement);
    deeds.tune({ kind: "setRequests", object: target, requests: { [resource]: written(now) }, ...named(subject) }, movement);
  };
  const rest = (event: Event) => movements.delete(event.target!);
  return html`<label class="slider">
    <span>${resource}</span>
    <input type="range" min="0" max=${Math.ceil(most / step) * step} step=${step} .value=${String(value)} aria-valuetext=${shown(value)} @input=${slide} @change=${rest} />
    <output class="num" .value=${shown(value)}></output>
  </label>`;
}

/** A priority class: of a workload by its template, of a pod by having it anew. */
function priority(subject: PodSubject, workload: string, add: Add): unknown {
  const { classes, object } = subject;
  if (classes.length === 0) return html`<p class="quiet-line">There is no PriorityClass to choose; apply one as YAML.</p>`;
  return editLine(
    html`<label>Priority class <select name="class">${classes.map((name) => html`<option>${name}</option>`)}</select></label>`,
    "Set",
    (values) => {
      const priorityClassName = values["class"]!;
      if (workload) add({ kind: "mergePatch", object: workload, patch: { spec: { template: { spec: { priorityClassName, priority: null } } } } });
      else if (object) {
        const spec: Record<string, unknown> = { ...(object["spec"] as object), priorityClassName };
        delete spec["preemptionPolicy"];
        add(...replacing({ metadata: object.metadata, spec }));
      }
    },
    true,
  );
}
