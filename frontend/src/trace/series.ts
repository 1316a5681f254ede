/**
 * How the run went, cycle by cycle, as columns: queue depths, what is used of each resource, what each plugin refused. Read
 * from the events once, as far as they have come, when somebody looks.
 */

import type { TraceEvent } from "../api/events.gen";
import { applyEvent } from "./apply";
import type { ClusterModel } from "./cluster_model";
import { isTold } from "./node_history";
import { PodState } from "./pod_columns";
import type { RunStore } from "./run_store";

const QUEUED: Record<string, number> = { active: 0, backoff: 1, unschedulable: 2, gated: 3 };
export const DEPTHS = ["active", "backoff", "unschedulable", "gated"] as const;
const NOWHERE = -1;

/** A column that grows. */
class Column {
  data = new Float64Array(256);
  size = 0;

  push(value: number): void {
    if (this.size === this.data.length) {
      const wider = new Float64Array(this.size * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.size] = value;
    this.size += 1;
  }

  get values(): Float64Array {
    return this.data.subarray(0, this.size);
  }
}

interface Refusals {
  /** Sum of nodes refused up to each cycle in which it refused any, and those cycles. */
  cycles: number[];
  sums: number[];
}

export class RunSeries {
  /** Types of event seen. */
  readonly types = new Set<string>();
  private seen = 0;
  private depths = [0, 0, 0, 0];
  private queueOf = new Map<number, number>();
  private readonly depthColumns = DEPTHS.map(() => new Column());
  private readonly times = new Column();
  private readonly refusals = new Map<string, Refusals>();

  constructor(private readonly store: RunStore) {}

  /** Plugins that refused any node, the hardest first. */
  get plugins(): string[] {
    this.update();
    return [...this.refusals].sort((a, b) => last(b[1].sums) - last(a[1].sums)).map(([name]) => name);
  }

  /** Row n is just after cycle n + 1 has begun. */
  depth(name: (typeof DEPTHS)[number]): Float64Array {
    this.update();
    return this.depthColumns[QUEUED[name]!]!.values;
  }

  /** Virtual time at which each cycle began. */
  get begun(): Float64Array {
    this.update();
    return this.times.values;
  }

  /** What each plugin has refused up to a cycle: nodes, and cycles in which it refused any. */
  refusedUpTo(cycle: number): { plugin: string; nodes: number; cycles: number }[] {
    this.update();
    const rows = [...this.refusals].map(([plugin, { cycles, sums }]) => {
      const count = countUpTo(cycles, cycle);
      return { plugin, nodes: count ? sums[count - 1]! : 0, cycles: count };
    });
    return rows.filter((row) => row.nodes > 0).sort((a, b) => b.nodes - a.nodes);
  }

  update(): void {
    const { store } = this;
    for (; this.seen < store.lastSeq; this.seen += 1) this.take(store.log[this.seen]!);
  }

  private take(event: TraceEvent): void {
    this.types.add(event.type);
    switch (event.type) {
      case "PodEnqueued":
        this.move(event.pod, QUEUED[event.queue] ?? NOWHERE);
        break;
      case "PodDequeued":
      case "PodDeleted":
      case "PodBound":
        this.move(event.pod, NOWHERE);
        break;
      case "CycleStarted":
        this.move(event.pod, NOWHERE);
        this.times.push(event.t_us);
        this.depthColumns.forEach((column, i) => column.push(this.depths[i]!));
        break;
      case "NodesFiltered":
        for (const [plugin, nodes] of Object.entries(event.rejected ?? {})) this.refuse(plugin, event.cycle, nodes);
        break;
      default:
    }
  }

  private move(key: string, queue: number): void {
    const pod = this.store.words.pods.find(key);
    const from = this.queueOf.get(pod) ?? NOWHERE;
    if (from >= 0) this.depths[from]! -= 1;
    if (queue >= 0) {
      this.depths[queue]! += 1;
      this.queueOf.set(pod, queue);
    } else this.queueOf.delete(pod);
  }

  private refuse(plugin: string, cycle: number, nodes: number): void {
    let kept = this.refusals.get(plugin);
    if (!kept) this.refusals.set(plugin, (kept = { cycles: [], sums: [] }));
    kept.cycles.push(cycle);
    kept.sums.push(last(kept.sums) + nodes);
  }
}

const last = (values: readonly number[]): number => values[values.length - 1] ?? 0;

function countUpTo(sorted: readonly number[], most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Share of a resource in use at the begin of each cycle: the states that the map shows there, added up. */
export function utilisation(store: RunStore, model: ClusterModel, resource: string): Float64Array {
  const requests = model.requestColumn(resource);
  const state = store.beginning;
  const { pods } = state;
  const taken = (pod: number): number => (pod >= 0 && pod < pods.size && pods.occupies(pod) ? (requests[pod] ?? 0) : 0);
  const room = new Map<string, number>();
  let all = 0;
  const give = (node: string, amount: number) => {
    all += amount - (room.get(node) ?? 0);
    room.set(node, amount);
  };
  for (const node of model.before) give(node.name, node.allocatable[resource] ?? 0);
  let used = 0;
  for (let pod = 0; pod < pods.size; pod += 1) used += taken(pod);
  const shares = new Float64Array(store.cycles.size);
  let row = 0;
  for (const event of store.log) {
    if (event.type === "CycleStarted") {
      shares[row] = all > 0 ? used / all : 0;
      row += 1;
    }
    if (isTold(event) && event.allocatable) give(event.node, event.allocatable[resource] ?? 0);
    else if (event.type === "NodeDeleted") give(event.node, 0);
    const pod = "pod" in event ? store.words.pods.find(event.pod) : -1;
    used -= taken(pod);
    applyEvent(state, event, store.words);
    used += taken(pod);
  }
  return shares;
}

/** How many pods wait at the playhead, by the plugin that refused them; a pod that several refused counts for each. */
export function pendingByPlugin(store: RunStore): { plugin: string; pods: number }[] {
  const { pods } = store.state;
  const counts = new Map<string, number>();
  const waits = new Set<number>([PodState.UNSCHEDULABLE, PodState.BACKOFF, PodState.GATED]);
  for (let pod = 0; pod < pods.size; pod += 1) {
    if (!waits.has(pods.state[pod]!)) continue;
    const event = store.event(pods.entered[pod]!);
    const plugins = event?.type === "PodEnqueued" ? (event.plugins ?? []) : [];
    for (const plugin of plugins.length ? plugins : ["no plugin named"]) counts.set(plugin, (counts.get(plugin) ?? 0) + 1);
  }
  return [...counts].map(([plugin, number]) => ({ plugin, pods: number })).sort((a, b) => b.pods - a.pods);
}
