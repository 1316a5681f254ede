/** Nodes grouped by labels, one level a label: zone ▸ rack ▸ …; of the labels that exist, those that group anything. */

import type { NodeItem } from "../api/types";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
const WELL_KNOWN = [
  ZONE_LABEL,
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/rack",
  "rack",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/arch",
  "kubernetes.io/os",
];
/** Names of one node each, or old words for what stands under a new one too. */
const NEVER = new Set(["kubernetes.io/hostname", "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"]);
const MOST_LABELS = 24;
/** A label with more values than one for so many nodes tells nodes apart rather than groups them. */
const NODES_A_VALUE = 2;

export interface NodeGroup {
  /** The label's value; "" for nodes without the label. */
  name: string;
  /** All nodes in it, in natural order. */
  nodes: number[];
  /** Its parts by the next label; none at the last level. */
  parts: NodeGroup[];
}

type Nodes = readonly (NodeItem | undefined)[];

/** The labels worth grouping by, the well known first. */
export function groupingLabels(nodes: Nodes): string[] {
  const values = new Map<string, Set<string>>();
  let numNodes = 0;
  for (const node of nodes) {
    if (!node) continue;
    numNodes += 1;
    for (const [label, value] of Object.entries(node.labels)) {
      if (NEVER.has(label)) continue;
      const known = values.get(label);
      if (known) known.add(value);
      else values.set(label, new Set([value]));
    }
  }
  const most = Math.max(1, numNodes / NODES_A_VALUE);
  const known = WELL_KNOWN.filter((label) => values.has(label));
  const others = [...values].filter(([label, seen]) => !WELL_KNOWN.includes(label) && seen.size > 1 && seen.size <= most).map(([label]) => label);
  return [...known, ...others.sort()].slice(0, MOST_LABELS);
}

const order = (a: string, b: string): number => (a === "" ? 1 : b === "" ? -1 : natural(a, b));
const natural = new Intl.Collator("en", { numeric: true }).compare;

/** Nodes by the values of labels, outermost first; without labels one group of all. */
export function groupNodes(nodes: Nodes, levels: readonly string[], ids: readonly number[]): NodeGroup[] {
  const [label, ...deeper] = levels;
  if (label === undefined) return [{ name: "", nodes: [...ids], parts: [] }];
  const byValue = new Map<string, number[]>();
  for (const id of ids) {
    const value = nodes[id]?.labels[label] ?? "";
    const members = byValue.get(value);
    if (members) members.push(id);
    else byValue.set(value, [id]);
  }
  return [...byValue.keys()].sort(order).map((name) => {
    const members = byValue.get(name)!;
    return { name, nodes: members, parts: deeper.length ? groupNodes(nodes, deeper, members) : [] };
  });
}

/** Groups without the nodes that are away; groups that are empty then are left out. */
export function without(groups: readonly NodeGroup[], isAway: (node: number) => boolean): NodeGroup[] {
  return groups
    .map((group) => ({ name: group.name, nodes: group.nodes.filter((node) => !isAway(node)), parts: without(group.parts, isAway) }))
    .filter((group) => group.nodes.length > 0);
}

/** "zone" for "topology.kubernetes.io/zone". */
export const shortLabel = (label: string): string => label.split("/").pop() ?? label;
