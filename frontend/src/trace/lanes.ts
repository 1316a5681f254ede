/** The queues at the playhead, each in its own order. */

import type { RunState } from "./apply";
import { NUM_STATES, PodState } from "./pod_columns";
import type { PodColumns } from "./pod_columns";

export interface Lane {
  name: "active" | "backoff" | "unschedulable" | "gated" | "flight";
  count: number;
  /** The first pods, at most as many as were asked for. */
  pods: number[];
}

type Order = (a: number, b: number) => number;

const byPriority = (pods: PodColumns): Order => (a, b) =>
  pods.priority[b]! - pods.priority[a]! || pods.entered[a]! - pods.entered[b]!;
const byBackoff = (pods: PodColumns): Order => (a, b) =>
  pods.backoffUntil[a]! - pods.backoffUntil[b]! || byPriority(pods)(a, b);
const byArrival = (pods: PodColumns): Order => (a, b) => pods.entered[a]! - pods.entered[b]!;
const byMove = (pods: PodColumns): Order => (a, b) => pods.moved[b]! - pods.moved[a]!;

const LANES: readonly { name: Lane["name"]; states: readonly number[]; order: (pods: PodColumns) => Order }[] = [
  { name: "flight", states: [PodState.IN_FLIGHT, PodState.WAITING, PodState.ASSUMED], order: byMove },
  { name: "active", states: [PodState.ACTIVE], order: byPriority },
  { name: "backoff", states: [PodState.BACKOFF], order: byBackoff },
  { name: "unschedulable", states: [PodState.UNSCHEDULABLE], order: byArrival },
  { name: "gated", states: [PodState.GATED], order: byArrival },
];

/** Lane by state; −1 for states that are in none. */
const LANE_OF = new Int8Array(NUM_STATES).fill(-1);
LANES.forEach(({ states }, lane) => states.forEach((state) => (LANE_OF[state] = lane)));

/** Keeps the first `limit` of what comes, in order. */
class First {
  readonly pods: number[] = [];

  constructor(
    private readonly order: Order,
    private readonly limit: number,
  ) {}

  take(pod: number): void {
    const { pods, order, limit } = this;
    if (pods.length === limit && order(pod, pods[limit - 1]!) >= 0) return;
    let at = pods.length;
    while (at > 0 && order(pod, pods[at - 1]!) < 0) at -= 1;
    pods.splice(at, 0, pod);
    if (pods.length > limit) pods.pop();
  }
}

export function lanesOf({ pods }: RunState, limit: number | ((name: Lane["name"]) => number)): Lane[] {
  const firsts = LANES.map(({ name, order }) => new First(order(pods), typeof limit === "number" ? limit : limit(name)));
  const { state, size } = pods;
  for (let pod = 0; pod < size; pod += 1) {
    const lane = LANE_OF[state[pod]!]!;
    if (lane >= 0) firsts[lane]!.take(pod);
  }
  return LANES.map(({ name, states }, lane) => ({ name, count: states.reduce((sum, one) => sum + pods.counts[one]!, 0), pods: firsts[lane]!.pods }));
}
