/** What the cluster is made of: allocatable and requests as columns over the store's ids, nodes grouped by a label. */

import type { PodCreated, TraceEvent } from "../api/events.gen";
import type { NodeItem, PodItem } from "../api/types";
import type { RunState } from "./apply";
import { groupNodes, groupingLabels } from "./hierarchy";
import type { NodeGroup } from "./hierarchy";
import { NodeHistory, isTold } from "./node_history";
import { Occupancy } from "./occupancy";
import type { RunStore } from "./run_store";

const FIRST = ["cpu", "memory", "pods", "ephemeral-storage"];

const FINAL_PHASES: ReadonlySet<string> = new Set(["Succeeded", "Failed"]);

/** Whether a pod has run to its end: it keeps its node's name and takes nothing there. */
export const isFinished = (pod: Pick<PodItem, "phase">): boolean => FINAL_PHASES.has(pod.phase);

/** Whether a pod of the cluster waits for a node. */
export const isPending = (pod: Pick<PodItem, "node" | "phase">): boolean => !pod.node && !isFinished(pod);

export const podKey = (pod: Pick<PodItem, "namespace" | "name">): string => `${pod.namespace}/${pod.name}`;

export class ClusterModel {
  readonly nodes: (NodeItem | undefined)[] = [];
  readonly pods: (PodItem | undefined)[] = [];
  /** Resources that any node has, the well known first. */
  resources: string[] = [];
  /** Whether nodes are told apart by what stands before the first dot of their names. */
  domainsSayNothing = false;
  /** Grows when nodes or pods are others than before. */
  version = 0;
  private readonly history = new NodeHistory();
  /** Pods in the order of the cluster's list. */
  private readonly listed: number[];
  private order = new Int32Array();
  private readonly allocatable = new Map<string, Float64Array>();
  private readonly requests = new Map<string, Float64Array>();

  constructor(
    /** The nodes that the cluster has before the run. */
    readonly before: readonly NodeItem[],
    pods: readonly PodItem[],
    store: RunStore,
  ) {
    const { words } = store;
    store.seed({
      nodes: before.map((node) => node.name),
      pods: pods.map((pod) => ({ key: podKey(pod), node: pod.node, priority: pod.priority ?? 0, finished: isFinished(pod) })),
    });
    for (const node of before) this.nodes[words.nodes.find(node.name)] = node;
    this.listed = pods.map((pod) => words.pods.find(podKey(pod)));
    pods.forEach((pod, place) => (this.pods[this.listed[place]!] = pod));
    this.learn(store.log, store);
    this.derive();
  }

  private derive(): void {
    const named = new Set<string>();
    const names = new Set<string>();
    let num = 0;
    for (const node of this.nodes) {
      if (!node) continue;
      num += 1;
      names.add(node.name.split(".", 1)[0]!);
      for (const [name, amount] of Object.entries(node.allocatable)) if (amount > 0) named.add(name);
    }
    this.domainsSayNothing = names.size === num;
    const others = [...named].filter((name) => !FIRST.includes(name)).sort();
    this.resources = [...FIRST.filter((name) => named.has(name)), ...others];
    this.allocatable.clear();
    this.grouped.clear();
    this.labels = null;
    this.version += 1;
  }

  /** Takes what events say of nodes and pods that were not there before the run. */
  learn(events: readonly TraceEvent[], store: RunStore): void {
    for (const event of events) {
      if (isTold(event)) {
        const node = store.words.nodes.id(event.node);
        this.history.take(node, event, this.nodes[node]);
        if (node >= this.nodes.length) this.nodes.length = node + 1;
      } else if (event.type === "PodCreated" && event.requests) {
        const pod = store.words.pods.id(event.pod);
        this.pods[pod] ??= createdPod(event);
        this.requests.clear();
      }
    }
  }

  /** Shows nodes as they were just after an event. */
  moveTo(seq: number): void {
    if (this.history.moveTo(seq, this.nodes)) this.derive();
  }

  /** Whether the node's Ready condition says that nothing is heard of it, or that it is not well. */
  isLost(node: number): boolean {
    return this.nodes[node]?.ready === false;
  }

  /** Whether any node is lost. */
  get hasLost(): boolean {
    return this.nodes.some((node) => node?.ready === false);
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

  /** Who is on which node: there as in the cluster's list, then as they came, whether the list or the events came first. */
  occupancy(state: RunState): Occupancy {
    const { size } = state.pods;
    if (this.order.length !== size) {
      const listed = new Set(this.listed);
      const others = Array.from({ length: size }, (_, pod) => pod).filter((pod) => !listed.has(pod));
      this.order = Int32Array.from([...listed].filter((pod) => pod < size).concat(others));
    }
    return new Occupancy(state, this.numNodes, this.order);
  }

  private labels: string[] | null = null;
  private readonly grouped = new Map<string, NodeGroup[]>();

  /** Ids in the natural order of names: node-2 before node-10. */
  private inOrder(): number[] {
    const { compare } = new Intl.Collator("en", { numeric: true });
    const ids: number[] = [];
    this.nodes.forEach((node, id) => node && ids.push(id));
    return ids.sort((a, b) => compare(this.nodes[a]!.name, this.nodes[b]!.name));
  }

  /** The labels worth grouping by. */
  groupLabels(): readonly string[] {
    return (this.labels ??= groupingLabels(this.nodes));
  }

  /** Nodes by the values of labels, outermost first, in order of value; those without one last. */
  groups(...levels: string[]): readonly NodeGroup[] {
    const key = levels.join("\n");
    const known = this.grouped.get(key);
    if (known) return known;
    const made = groupNodes(this.nodes, levels, this.inOrder());
    this.grouped.set(key, made);
    return made;
  }
}

function createdPod(event: PodCreated): PodItem {
  const [namespace = "", name = ""] = event.pod.split("/");
  return { namespace, name, node: null, phase: "Pending", priority: null, requests: event.requests ?? {}, owner: event.owner ?? "", labels: {} };
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
