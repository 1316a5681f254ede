/** Nodes by kind: what they have to give, their lasting taints, and the labels that machines of one kind share. */

import type { NodeItem } from "../api/types";

export interface NodeKind {
  /** The first of its kind. */
  node: NodeItem;
  nodes: number;
}

const KINDS_BY = ["node.kubernetes.io/instance-type", "kubernetes.io/arch"];

/** One of each kind, the most frequent first. */
export function nodeKinds(nodes: readonly (NodeItem | undefined)[]): NodeKind[] {
  const found = new Map<string, NodeKind>();
  for (const node of nodes) {
    if (!node || node.ready === false) continue; // what is lost is nothing to be like
    const taints = node.taints.filter((taint) => !taint.key.startsWith("node.kubernetes.io/")).map((taint) => `${taint.key}=${taint.value ?? ""}:${taint.effect}`);
    const amounts = Object.entries(node.allocatable).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([amounts, taints.sort(), KINDS_BY.map((label) => node.labels[label] ?? "")]);
    const known = found.get(key);
    if (known) known.nodes += 1;
    else found.set(key, { node, nodes: 1 });
  }
  return [...found.values()].sort((a, b) => b.nodes - a.nodes);
}
