/** The queues at the playhead, each in its own order. */

import type { RunState } from "./apply";
import { PodState } from "./pod_columns";
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

/** The first `limit` of the pods in one of `states`. */
function firstOf(state: RunState, states: readonly number[], order: Order, limit: number): number[] {
  const { pods } = state;
  const best: number[] = [];
  for (let pod = 0; pod < pods.size; pod += 1) {
    if (!states.includes(pods.state[pod]!)) continue;
    if (best.length === limit && order(pod, best[limit - 1]!) >= 0) continue;
    let at = best.length;
    while (at > 0 && order(pod, best[at - 1]!) < 0) at -= 1;
    best.splice(at, 0, pod);
    if (best.length > limit) best.pop();
  }
  return best;
}

export function lanesOf(state: RunState, limit: number | ((name: Lane["name"]) => number)): Lane[] {
  return LANES.map(({ name, states, order }) => {
    const count = states.reduce((sum, one) => sum + state.pods.counts[one]!, 0);
    const most = typeof limit === "number" ? limit : limit(name);
    return { name, count, pods: count ? firstOf(state, states, order(state.pods), most) : [] };
  });
}
