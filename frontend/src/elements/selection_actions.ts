/** What can be done with several nodes and pods together. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Ask } from "../api/plans";
import type { NodeItem, PodItem } from "../api/types";
import { counted, podName } from "../base/format";
import { podKey } from "../trace/cluster_model";
import type { Selection } from "../trace/selection";
import { act } from "./edit_forms";
import { nodeButtons, nodeLines } from "./node_actions";
import type { Add } from "./node_actions";

const SHOWN = 24;

export interface Chosen {
  selection: Selection;
  nodes: NodeItem[];
  pods: PodItem[];
  /** Pods that the question would be about: those chosen, and those on the nodes chosen. */
  asked: PodItem[];
}

export function selectionActions(chosen: Chosen, add: Add, ask: (ask: Ask) => void, changed: () => void): TemplateResult {
  const { selection, nodes, pods } = chosen;
  const names = nodes.map((node) => node.name);
  const movable = chosen.asked.filter((pod) => pod.node);
  return html`${chips("nodes", names, (name) => name, selection, changed)} ${chips("pods", pods.map(podKey), podName, selection, changed)}
    <div class="edit-buttons">
      ${movable.length ? act(`Reschedule ${counted(movable.length, "pod")}`, "Place them anew, as if they had no node", () => ask(questionOf(chosen))) : nothing}
      ${pods.length ? act(`Delete ${counted(pods.length, "pod")}`, "Their owners make others", () => add(...pods.map((pod) => ({ kind: "delete", object: `Pod/${podKey(pod)}` }))), true) : nothing}
    </div>
    ${names.length ? html`<p class="quiet-line">The ${counted(names.length, "node")}:</p>${nodeButtons(names, nodes, add)}${nodeLines(names, add)}` : nothing}`;
}

/** Nodes by their names where only nodes were chosen; else each pod by its own. */
function questionOf({ nodes, pods, asked }: Chosen): Ask {
  if (pods.length === 0) return { ask: "reschedule", nodes: nodes.map((node) => node.name) };
  return { ask: "reschedule", pods: asked.filter((pod) => pod.node).map(podKey) };
}

function chips(kind: "nodes" | "pods", names: readonly string[], shown: (name: string) => string, selection: Selection, changed: () => void): unknown {
  if (names.length === 0) return nothing;
  const drop = (name: string) => {
    selection.toggle(kind, name);
    changed();
  };
  return html`<ul class="chips" aria-label="Selected ${kind}">
    ${names.slice(0, SHOWN).map((name) => html`<li class="chip mono">${shown(name)} <button type="button" aria-label="Deselect ${name}" title="Deselect" @click=${() => drop(name)}>✕</button></li>`)}
    ${names.length > SHOWN ? html`<li class="quiet">and ${counted(names.length - SHOWN, "more", "more")}</li>` : nothing}
  </ul>`;
}

const PARTS = ["pods", "nodes", "owners", "namespaces"] as const;
const PART_WORDS = { pods: "", nodes: "all of node ", owners: "all of ", namespaces: "all of namespace " };

/** The list behind "reschedule a selection", each of which can be taken out. */
export function askedList(ask: Ask, changed: (ask: Ask) => void): unknown {
  if (ask.ask !== "reschedule") return nothing;
  const drop = (part: (typeof PARTS)[number], name: string) => {
    const next: Ask = { ...ask, [part]: ask[part]?.filter((each) => each !== name) };
    if (!next[part]?.length) delete next[part];
    changed(PARTS.some((each) => next[each]?.length) ? next : { ask: "continue" });
  };
  return html`<ul class="chips asked" aria-label="Pods to reschedule">
    ${PARTS.flatMap((part) => {
      const names = ask[part] ?? [];
      const rest = names.length > SHOWN ? [html`<li class="quiet">and ${counted(names.length - SHOWN, "more", "more")}</li>`] : [];
      return [
        ...names.slice(0, SHOWN).map((name) => html`<li class="chip mono">${PART_WORDS[part]}${part === "pods" ? podName(name) : name} <button type="button" aria-label="Leave ${name} where it is" title="Take it out of the question" @click=${() => drop(part, name)}>✕</button></li>`),
        ...rest,
      ];
    })}
  </ul>`;
}
