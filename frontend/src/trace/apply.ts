/** One event, applied to the state: the only place that says what an event means for the picture. */

import type { PodEnqueued, TraceEvent } from "../api/events.gen";
import type { Names } from "./names";
import { PodColumns, PodState } from "./pod_columns";

export interface RunState {
  /** seq of the last event applied. */
  seq: number;
  tUs: number;
  pods: PodColumns;
  /** Nodes taken away by an edit, by node id. */
  goneNodes: Set<number>;
}

export interface Vocabulary {
  pods: Names;
  nodes: Names;
}

export function emptyState(): RunState {
  return { seq: 0, tUs: 0, pods: new PodColumns(), goneNodes: new Set() };
}

export function copyState(state: RunState): RunState {
  return { seq: state.seq, tUs: state.tUs, pods: state.pods.copy(), goneNodes: new Set(state.goneNodes) };
}

/** Becomes the same as another state, without new arrays. */
export function assignState(state: RunState, other: RunState): void {
  state.seq = other.seq;
  state.tUs = other.tUs;
  state.pods.assign(other.pods);
  state.goneNodes = new Set(other.goneNodes);
}

const QUEUE_STATES = {
  active: PodState.ACTIVE,
  backoff: PodState.BACKOFF,
  unschedulable: PodState.UNSCHEDULABLE,
  gated: PodState.GATED,
} as const;

export function applyEvent(state: RunState, event: TraceEvent, words: Vocabulary): void {
  state.seq = event.seq;
  state.tUs = event.t_us;
  if ("pod" in event) applyToPod(state, event, words);
  else if (event.type === "NodeDeleted") state.goneNodes.add(words.nodes.id(event.node));
  else if (event.type === "NodeAdded") state.goneNodes.delete(words.nodes.id(event.node));
}

type PodEvent = Extract<TraceEvent, { pod: string }>;

function applyToPod(state: RunState, event: PodEvent, words: Vocabulary): void {
  const { pods } = state;
  const pod = words.pods.id(event.pod);
  pods.reserve(words.pods.size);
  switch (event.type) {
    case "PodEnqueued":
      enqueue(pods, pod, event);
      break;
    case "CycleStarted":
      pods.enter(pod, PodState.IN_FLIGHT);
      pods.attempts[pod] = event.attempt;
      pods.lastCycle[pod] = event.cycle;
      break;
    case "PodUnschedulable":
      pods.failed[pod] = event.seq;
      pods.setNode(pod, -1);
      break;
    case "PodNominated":
      pods.setNominated(pod, words.nodes.id(event.node));
      break;
    case "PodAssumed":
      place(pods, pod, PodState.ASSUMED, words.nodes.id(event.node));
      break;
    case "PodWaiting":
      place(pods, pod, PodState.WAITING, words.nodes.id(event.node));
      break;
    case "PodPermitted":
      place(pods, pod, PodState.ASSUMED, words.nodes.id(event.node));
      break;
    case "PodBound":
      place(pods, pod, PodState.BOUND, words.nodes.id(event.node));
      pods.setNominated(pod, -1);
      break;
    case "VictimsSelected":
      for (const name of event.victims ?? []) {
        const victim = words.pods.id(name);
        pods.reserve(words.pods.size);
        if (pods.state[victim] !== PodState.GONE) pods.victim[victim] = 1;
      }
      break;
    case "PodTerminating":
      if (event.reason === "preempted") pods.victim[pod] = 1;
      break;
    case "PodFinished":
      pods.enter(pod, PodState.FINISHED);
      pods.victim[pod] = 0;
      break;
    case "PodDeleted":
      leave(pods, pod);
      break;
    case "PodDequeued":
      if (event.reason === "deleting") pods.enter(pod, PodState.DELETING);
      else if (event.reason !== "bound") leave(pods, pod);
      break;
    default:
      return;
  }
  pods.moved[pod] = event.seq;
}

function enqueue(pods: PodColumns, pod: number, event: PodEnqueued): void {
  pods.enter(pod, QUEUE_STATES[event.queue] ?? PodState.ACTIVE);
  pods.setNode(pod, -1);
  pods.priority[pod] = event.priority ?? 0;
  pods.attempts[pod] = event.attempts ?? 0;
  pods.entered[pod] = event.seq;
  pods.backoffUntil[pod] = event.backoff_until_us ?? 0;
}

function place(pods: PodColumns, pod: number, state: number, node: number): void {
  pods.enter(pod, state);
  pods.setNode(pod, node);
}

function leave(pods: PodColumns, pod: number): void {
  pods.enter(pod, PodState.GONE);
  pods.victim[pod] = 0;
}

