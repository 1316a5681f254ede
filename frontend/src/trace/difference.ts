/** What a what-if changes, as the map and the lists show it: marks of nodes, pods that came, pods that left. */

import type { Changes, WhatIf } from "../api/plans";
import type { NodeItem, PodItem } from "../api/types";
import { podKey } from "./cluster_model";

export type Came = "moved" | "rescued" | "new";

export interface NodeChange {
  node: string;
  words: string;
}

export interface Mark {
  glyph: "changed" | "came" | "left";
  reason: string;
}

export interface Difference {
  /** What changed on each node, in few words. */
  nodes: ReadonlyMap<string, Mark>;
  /** Nodes that are other than before, those that are new, those that are gone. */
  changed: NodeChange[];
  gone: string[];
  /** Pods that are on a node where they were not, and how they came there. */
  came: ReadonlyMap<string, Came>;
  /** Where pods were that are not there any more. */
  from: ReadonlyMap<string, string>;
  /** By node, the pods that left it, as they were. */
  left: ReadonlyMap<string, PodItem[]>;
}

export const NO_DIFFERENCE: Difference = { nodes: new Map(), changed: [], gone: [], came: new Map(), from: new Map(), left: new Map() };

/** Nodes and pods of the cluster with what an answer says of them in their place. */
export function overlaid(base: { nodes: readonly NodeItem[]; pods: readonly PodItem[] }, answer: WhatIf): { nodes: NodeItem[]; pods: PodItem[] } {
  return {
    nodes: merged(base.nodes, answer.nodes, answer.gone_nodes, (node) => node.name),
    pods: merged(base.pods, answer.pods, answer.gone_pods, podKey),
  };
}

function merged<T>(base: readonly T[], changed: readonly T[], gone: readonly string[], key: (item: T) => string): T[] {
  if (changed.length === 0 && gone.length === 0) return [...base];
  const others = new Map(changed.map((item) => [key(item), item]));
  const lost = new Set(gone);
  const kept: T[] = [];
  for (const item of base) {
    const name = key(item);
    if (lost.has(name)) continue;
    const other = others.get(name);
    if (other) others.delete(name);
    kept.push(other ?? item);
  }
  return [...kept, ...others.values()];
}

/** What there is to paint. `base` is the cluster as it is. */
export function differenceOf(answer: WhatIf, base: { nodes: readonly NodeItem[]; pods: readonly PodItem[] }): Difference {
  const { changes } = answer;
  const came = new Map<string, Came>();
  const from = new Map<string, string>();
  const arrivals = new Map<string, number>();
  const arrive = (pod: string, node: string, how: Came) => {
    came.set(pod, how);
    arrivals.set(node, (arrivals.get(node) ?? 0) + 1);
  };
  const leaving = new Set([...changes.gone, ...changes.newly_pending.map((one) => one.pod)]);
  for (const { pod, before, after, instead } of changes.moved) {
    arrive(instead || pod, after, "moved");
    from.set(instead || pod, before);
    leaving.add(pod);
  }
  for (const { pod, node } of changes.rescued) arrive(pod, node, "rescued");
  for (const { pod, node } of changes.new) arrive(pod, node, "new");
  const left = new Map<string, PodItem[]>();
  for (const pod of leaving.size ? base.pods : []) {
    if (!pod.node || !leaving.has(podKey(pod))) continue;
    from.set(podKey(pod), pod.node);
    left.set(pod.node, [...(left.get(pod.node) ?? []), pod]);
  }
  const changed = changedNodes(answer.nodes, base.nodes);
  const nodes = new Map<string, Mark>(changed.map(({ node, words }) => [node, { glyph: "changed", reason: words }]));
  const add = (node: string, glyph: Mark["glyph"], words: string) => {
    const known = nodes.get(node);
    nodes.set(node, known ? { glyph: "changed", reason: `${known.reason}, ${words}` } : { glyph, reason: words });
  };
  for (const [node, number] of arrivals) add(node, "came", `+${number}`);
  for (const [node, pods] of left) if (!answer.gone_nodes.includes(node)) add(node, "left", `−${pods.length}`);
  return { nodes, changed, gone: answer.gone_nodes, came, from, left };
}

function changedNodes(after: readonly NodeItem[], before: readonly NodeItem[]): NodeChange[] {
  const names = new Set(after.map((node) => node.name));
  const known = new Map(before.filter((node) => names.has(node.name)).map((node) => [node.name, node]));
  return after
    .map((node) => ({ node: node.name, words: [...stateWords(node, known.get(node.name))].join(", ") }))
    .filter(({ words }) => words !== "");
}

function* stateWords(node: NodeItem, before: NodeItem | undefined): Generator<string> {
  if (!before) {
    yield "new";
    return;
  }
  if (node.ready === false && before.ready !== false) yield "lost";
  if (node.ready !== false && before.ready === false) yield "back";
  if (node.unschedulable !== before.unschedulable) yield node.unschedulable ? "cordoned" : "uncordoned";
  if (taintsOf(node) !== taintsOf(before)) yield "other taints";
  if (!isSame(node.labels, before.labels)) yield "other labels";
  if (!isSame(node.allocatable, before.allocatable)) yield "other size";
}

/** Taints of people: those that say that a node is cordoned or lost say nothing more. */
function taintsOf(node: NodeItem): string {
  const own = node.taints.filter((taint) => !taint.key.startsWith("node.kubernetes.io/"));
  return own.map((taint) => `${taint.key}=${taint.value ?? ""}:${taint.effect}`).sort().join();
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** How many pods are other than before. */
export function numChanges(changes: Changes): number {
  return changes.newly_pending.length + changes.rescued.length + changes.moved.length + changes.new.length + changes.gone.length;
}
