/** What can be done with a node or a pod, each a button that puts an edit on a stack, where there is no more than the stack. */

import { html } from "lit";
import type { TemplateResult } from "lit";
import type { Edit } from "../api/plans";
import type { NodeItem, PodItem } from "../api/types";
import { podName } from "../base/format";
import type { EditStack } from "../trace/edit_stack";
import { workloadOf } from "../trace/workload";
import { nodeActions as ofNode } from "./node_actions";
import { podActions as ofPod } from "./pod_actions";

type Change = (how: (stack: EditStack) => void) => void;

export function nodeActions(node: NodeItem, all: readonly (NodeItem | undefined)[], change: Change): TemplateResult {
  return html`<div class="edit-actions" role="group" aria-label="Change ${node.name}">
    <p class="mono">${node.name}</p>
    ${ofNode(node, all, (...edits) => change((stack) => stack.add(...edits)))}
  </div>`;
}

export function podActions(pod: PodItem, replicas: number, change: Change): TemplateResult {
  const key = `${pod.namespace}/${pod.name}`;
  const deeds = {
    add: (...edits: Edit[]) => change((stack) => stack.add(...edits)),
    tune: (edit: Edit, movement: symbol) => change((stack) => stack.tune(edit, movement)),
  };
  return html`<div class="edit-actions" role="group" aria-label="Change ${key}">
    <p class="mono">${podName(key)}</p>
    ${ofPod({ pod, workload: workloadOf(pod), object: null, classes: [], nodes: [], container: "" }, deeds, replicas)}
  </div>`;
}
