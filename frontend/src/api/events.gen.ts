// Generated from the JSON Schema of the trace events by scripts/gen_events.mjs. Do not edit.

/** A pod was popped and a scheduling cycle began. */
export interface CycleStarted {
  seq: number;
  t_us: number;
  type: "CycleStarted";
  cycle: number;
  pod: string;
  attempt: number;
  step?: number;
}

/** A node joined. */
export interface NodeAdded {
  seq: number;
  t_us: number;
  type: "NodeAdded";
  node: string;
}

/** A node left. */
export interface NodeDeleted {
  seq: number;
  t_us: number;
  type: "NodeDeleted";
  node: string;
}

/** A node was changed by an edit. */
export interface NodeUpdated {
  seq: number;
  t_us: number;
  type: "NodeUpdated";
  node: string;
}

/** Filters ran; `rejected` counts nodes by the plugin that refused them first. */
export interface NodesFiltered {
  seq: number;
  t_us: number;
  type: "NodesFiltered";
  cycle: number;
  pod: string;
  num_nodes: number;
  num_evaluated: number;
  num_feasible: number;
  rejected?: Record<string, number>;
}

/** Scores were added up; `scores` are the best five nodes with their totals. */
export interface NodesScored {
  seq: number;
  t_us: number;
  type: "NodesScored";
  cycle: number;
  pod: string;
  scores: [string, number][];
  num_ties: number;
}

/** The scheduler counts a pod on its node before it is bound. */
export interface PodAssumed {
  seq: number;
  t_us: number;
  type: "PodAssumed";
  cycle: number;
  pod: string;
  node: string;
}

/** A pod was bound to its node. */
export interface PodBound {
  seq: number;
  t_us: number;
  type: "PodBound";
  cycle: number;
  pod: string;
  node: string;
}

/** A pod went away. */
export interface PodDeleted {
  seq: number;
  t_us: number;
  type: "PodDeleted";
  pod: string;
  node?: string;
  reason?: "deleted" | "preempted";
}

/** A pod left the queues without a cycle. */
export interface PodDequeued {
  seq: number;
  t_us: number;
  type: "PodDequeued";
  pod: string;
  reason: "bound" | "deleted";
}

/** A pod moved into a queue; `event` is what moved it, `plugins` refused or gate it. `hints`: plugin → its QueueingHint for the event, "Queue" or "QueueSkip". A pod that comes back from an attempt goes where an event during the attempt says: `in_flight_event`. `skipped_events`: how many events of each kind, since the pod last moved, those plugins found not worth an attempt (told here and not one by one: with many pods waiting they would be most of the trace). */
export interface PodEnqueued {
  seq: number;
  t_us: number;
  type: "PodEnqueued";
  pod: string;
  queue: "active" | "backoff" | "gated" | "unschedulable";
  event: string;
  priority?: number;
  attempts?: number;
  backoff_until_us?: number | null;
  plugins?: string[];
  hints?: Record<string, string>;
  in_flight_event?: string;
  skipped_events?: Record<string, number>;
}

/** A pod was promised a node. */
export interface PodNominated {
  seq: number;
  t_us: number;
  type: "PodNominated";
  cycle: number;
  pod: string;
  node: string;
}

/** A waiting pod may go on. */
export interface PodPermitted {
  seq: number;
  t_us: number;
  type: "PodPermitted";
  cycle: number;
  pod: string;
  node: string;
}

/** A cycle failed; `message` is the text of the FailedScheduling event, uncut. */
export interface PodUnschedulable {
  seq: number;
  t_us: number;
  type: "PodUnschedulable";
  cycle: number;
  pod: string;
  message: string;
  plugins?: string[];
  error?: boolean;
}

/** A pod was changed by an edit. */
export interface PodUpdated {
  seq: number;
  t_us: number;
  type: "PodUpdated";
  pod: string;
}

/** A Permit plugin has a pod wait. */
export interface PodWaiting {
  seq: number;
  t_us: number;
  type: "PodWaiting";
  cycle: number;
  pod: string;
  node: string;
  plugin?: string;
}

/** Nothing is left to do. */
export interface RunFinished {
  seq: number;
  t_us: number;
  type: "RunFinished";
  num_cycles: number;
  num_bound: number;
  num_pending: number;
}

/** The run begins: what the cluster holds. `waits_for`: plugin → the changes that may help a pod it refused. */
export interface RunStarted {
  seq: number;
  t_us: number;
  type: "RunStarted";
  num_nodes: number;
  num_bound: number;
  num_pending: number;
  engine_version: string;
  waits_for?: Record<string, string[]>;
}

/** Preemption chose a node and the pods to delete there. */
export interface VictimsSelected {
  seq: number;
  t_us: number;
  type: "VictimsSelected";
  cycle: number;
  pod: string;
  node: string;
  victims: string[];
}

export type TraceEvent =
  | CycleStarted
  | NodeAdded
  | NodeDeleted
  | NodeUpdated
  | NodesFiltered
  | NodesScored
  | PodAssumed
  | PodBound
  | PodDeleted
  | PodDequeued
  | PodEnqueued
  | PodNominated
  | PodPermitted
  | PodUnschedulable
  | PodUpdated
  | PodWaiting
  | RunFinished
  | RunStarted
  | VictimsSelected;
