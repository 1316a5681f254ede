/** What the cluster is made of: allocatable and requests as columns over the store's ids, nodes grouped by a label. */

import type { NodeItem, PodItem } from "../api/types";
import type { RunState } from "./apply";
import type { RunStore } from "./run_store";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
const GROUP_LABELS = [
  ZONE_LABEL,
  "topology.kubernetes.io/region",
  "rack",
  "topology.kubernetes.io/rack",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/arch",
];
const FIRST = ["cpu", "memory", "pods", "ephemeral-storage"];

export interface NodeGroup {
  /** The label's value; "" for nodes without the label. */
  name: string;
  nodes: number[];
}

export const podKey = (pod: Pick<PodItem, "namespace" | "name">): string => `${pod.namespace}/${pod.name}`;

export class ClusterModel {
  readonly nodes: (NodeItem | undefined)[] = [];
  readonly pods: (PodItem | undefined)[] = [];
  /** Resources that any node has, the well known first. */
  readonly resources: string[];
  /** Whether nodes are told apart by what stands before the first dot of their names. */
  readonly domainsSayNothing: boolean;
  private readonly allocatable = new Map<string, Float64Array>();
  private readonly requests = new Map<string, Float64Array>();

  constructor(nodes: readonly NodeItem[], pods: readonly PodItem[], store: RunStore) {
    const { words } = store;
    store.seed({
      nodes: nodes.map((node) => node.name),
      pods: pods.map((pod) => ({ key: podKey(pod), node: pod.node, priority: pod.priority ?? 0 })),
    });
    for (const node of nodes) this.nodes[words.nodes.find(node.name)] = node;
    for (const pod of pods) this.pods[words.pods.find(podKey(pod))] = pod;
    const named = new Set<string>();
    for (const node of nodes) for (const [name, amount] of Object.entries(node.allocatable)) if (amount > 0) named.add(name);
    this.domainsSayNothing = new Set(nodes.map((node) => node.name.split(".", 1)[0])).size === nodes.length;
    const others = [...named].filter((name) => !FIRST.includes(name)).sort();
    this.resources = [...FIRST.filter((name) => named.has(name)), ...others];
  }

  get numNodes(): number {
    return this.nodes.length;
  }

  /** What a pod asks of a resource; every pod takes one of "pods". */
  request(resource: string, pod: number): number {
    return this.requestColumn(resource)[pod] ?? 0;
  }

  allocatableColumn(resource: string): Float64Array {
    return column(this.allocatable, resource, this.nodes, (node) => node.allocatable[resource] ?? 0);
  }

  requestColumn(resource: string): Float64Array {
    const one = resource === "pods";
    return column(this.requests, resource, this.pods, (pod) => (one ? 1 : (pod.requests[resource] ?? 0)));
  }

  /** What is taken of a resource on each node. */
  used(resource: string, state: RunState): Float64Array {
    const requests = this.requestColumn(resource);
    const used = new Float64Array(Math.max(this.nodes.length, 1));
    const { pods } = state;
    for (let pod = 0; pod < pods.size; pod += 1) {
      if (!pods.occupies(pod)) continue;
      const node = pods.nodeOf(pod);
      if (node < used.length) used[node]! += requests[pod] ?? 0;
    }
    return used;
  }

  private ranks: Int32Array | null = null;
  private labels: string[] | null = null;
  private readonly grouped = new Map<string, NodeGroup[]>();

  /** A node's place among all in the natural order of names: node-2 before node-10. */
  private rank(node: number): number {
    this.ranks ??= this.rankNames();
    return this.ranks[node]!;
  }

  private rankNames(): Int32Array {
    const { compare } = new Intl.Collator("en", { numeric: true });
    const order = this.nodes.map((_, id) => id).sort((a, b) => compare(this.nodes[a]?.name ?? "", this.nodes[b]?.name ?? ""));
    const ranks = new Int32Array(order.length);
    order.forEach((node, place) => (ranks[node] = place));
    return ranks;
  }

  /** The labels worth grouping by: those that more than one node share or that split the cluster. */
  groupLabels(): readonly string[] {
    return (this.labels ??= GROUP_LABELS.filter((label) => this.nodes.some((node) => node?.labels[label] !== undefined)));
  }

  /** Nodes by the value of a label, in order of value; those without it last. */
  groups(label: string): readonly NodeGroup[] {
    const known = this.grouped.get(label);
    if (known) return known;
    const made = this.groupBy(label);
    this.grouped.set(label, made);
    return made;
  }

  private groupBy(label: string): NodeGroup[] {
    const byValue = new Map<string, number[]>();
    this.nodes.forEach((node, id) => {
      if (!node) return;
      const value = node.labels[label] ?? "";
      const members = byValue.get(value);
      if (members) members.push(id);
      else byValue.set(value, [id]);
    });
    const order = (a: string, b: string) => (a === "" ? 1 : b === "" ? -1 : a.localeCompare(b, "en", { numeric: true }));
    return [...byValue.keys()].sort(order).map((name) => ({ name, nodes: byValue.get(name)!.sort((a, b) => this.rank(a) - this.rank(b)) }));
  }
}

function column<T>(
  kept: Map<string, Float64Array>,
  resource: string,
  items: readonly (T | undefined)[],
  amount: (item: T) => number,
): Float64Array {
  const known = kept.get(resource);
  if (known) return known;
  const made = new Float64Array(items.length);
  items.forEach((item, id) => {
    if (item) made[id] = amount(item);
  });
  kept.set(resource, made);
  return made;
}
