// Generated from the JSON Schema of the trace events by scripts/gen_events.mjs. Do not edit.

/** Admission refused an object such as `Pod/default/web`, which is not stored. */
export interface AdmissionRefused {
  seq: number;
  t_us: number;
  type: "AdmissionRefused";
  object: string;
  by: string;
  message: string;
}

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

/** An edit of the scenario took effect; `edit` counts from 1, `text` says it as a sentence. */
export interface EditApplied {
  seq: number;
  t_us: number;
  type: "EditApplied";
  edit: number;
  kind: string;
  text: string;
}

/** An edit of the scenario was refused and changed nothing. */
export interface EditRefused {
  seq: number;
  t_us: number;
  type: "EditRefused";
  edit: number;
  kind: string;
  text: string;
  message: string;
}

/** A controller says something of an object, as `kubectl get events` shows it. */
export interface EventRecorded {
  seq: number;
  t_us: number;
  type: "EventRecorded";
  object: string;
  by: string;
  reason: string;
  message: string;
  warning?: boolean;
}

/** A disruption budget held an eviction back; it is tried again, and told again once the cause is another. */
export interface EvictionRefused {
  seq: number;
  t_us: number;
  type: "EvictionRefused";
  pod: string;
  node: string;
  message: string;
  cause?: string;
  retry_us?: number;
}

/** A node joined; `allocatable` as the scheduler counts (cpu in milli), `taints` as `key=value:effect`. `ready` is false where its Ready condition is False or Unknown. */
export interface NodeAdded {
  seq: number;
  t_us: number;
  type: "NodeAdded";
  node: string;
  allocatable?: Record<string, number>;
  labels?: Record<string, string>;
  taints?: string[];
  unschedulable?: boolean;
  ready?: boolean;
}

/** A node left. */
export interface NodeDeleted {
  seq: number;
  t_us: number;
  type: "NodeDeleted";
  node: string;
}

/** All pods that a drain evicted from the node are gone. */
export interface NodeDrained {
  seq: number;
  t_us: number;
  type: "NodeDrained";
  node: string;
}

/** A node was changed by an edit; what it is now, as in `NodeAdded`. */
export interface NodeUpdated {
  seq: number;
  t_us: number;
  type: "NodeUpdated";
  node: string;
  allocatable?: Record<string, number>;
  labels?: Record<string, string>;
  taints?: string[];
  unschedulable?: boolean;
  ready?: boolean;
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

/** An object that is neither pod nor node was written, other than its status. */
export interface ObjectChanged {
  seq: number;
  t_us: number;
  type: "ObjectChanged";
  object: string;
  change: "created" | "deleted" | "deleting" | "updated";
  by: string;
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

/** A pod was bound to its node, by the Bind plugins or by an `extender`. */
export interface PodBound {
  seq: number;
  t_us: number;
  type: "PodBound";
  cycle: number;
  pod: string;
  node: string;
  extender?: string;
}

/** A pod was made during the run; `by` is a controller or an edit, `owner` such as `ReplicaSet/web-5d`. */
export interface PodCreated {
  seq: number;
  t_us: number;
  type: "PodCreated";
  pod: string;
  by: string;
  owner?: string;
  requests?: Record<string, number>;
}

/** Admission filled in fields of a pod: field → value, as text. */
export interface PodDefaulted {
  seq: number;
  t_us: number;
  type: "PodDefaulted";
  pod: string;
  fields: Record<string, string>;
}

/** A pod went away. */
export interface PodDeleted {
  seq: number;
  t_us: number;
  type: "PodDeleted";
  pod: string;
  node?: string;
  reason?: "deleted" | "evicted" | "preempted";
}

/** A pod left the queues without a cycle; `deleting`: its turn came, but it is being deleted. */
export interface PodDequeued {
  seq: number;
  t_us: number;
  type: "PodDequeued";
  pod: string;
  reason: "bound" | "deleted" | "deleting";
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

/** A pod's containers ended by themselves. */
export interface PodFinished {
  seq: number;
  t_us: number;
  type: "PodFinished";
  pod: string;
  node: string;
  phase: "Failed" | "Succeeded";
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

/** A pod's containers run. */
export interface PodStarted {
  seq: number;
  t_us: number;
  type: "PodStarted";
  pod: string;
  node: string;
}

/** A pod was asked to end and has so long to do it. */
export interface PodTerminating {
  seq: number;
  t_us: number;
  type: "PodTerminating";
  pod: string;
  by: string;
  node?: string;
  grace_us?: number;
  reason?: "deleted" | "evicted" | "preempted";
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

/** Admission filled in the same field of so many of the pods that came with the cluster. */
export interface PodsDefaulted {
  seq: number;
  t_us: number;
  type: "PodsDefaulted";
  field: string;
  value: string;
  num_pods: number;
}

/** Nothing is left to do; pods are counted as in `RunStarted`. */
export interface RunFinished {
  seq: number;
  t_us: number;
  type: "RunFinished";
  num_cycles: number;
  num_bound: number;
  num_pending: number;
  num_finished?: number;
}

/** The run begins: what the cluster holds. `waits_for`: plugin → the changes that may help a pod it refused. `num_bound` are the pods that take room on a node; those that ended before the run are `num_finished`. */
export interface RunStarted {
  seq: number;
  t_us: number;
  type: "RunStarted";
  num_nodes: number;
  num_bound: number;
  num_pending: number;
  engine_version: string;
  num_finished?: number;
  waits_for?: Record<string, string[]>;
}

/** The run was ended before it was quiet. */
export interface RunStopped {
  seq: number;
  t_us: number;
  type: "RunStopped";
  reason: "horizon" | "limit";
  text: string;
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

/** A controller or an edit changed how many pods there are to be. */
export interface WorkloadScaled {
  seq: number;
  t_us: number;
  type: "WorkloadScaled";
  object: string;
  replicas: number;
  by: string;
  previous?: number;
}

export type TraceEvent =
  | AdmissionRefused
  | CycleStarted
  | EditApplied
  | EditRefused
  | EventRecorded
  | EvictionRefused
  | NodeAdded
  | NodeDeleted
  | NodeDrained
  | NodeUpdated
  | NodesFiltered
  | NodesScored
  | ObjectChanged
  | PodAssumed
  | PodBound
  | PodCreated
  | PodDefaulted
  | PodDeleted
  | PodDequeued
  | PodEnqueued
  | PodFinished
  | PodNominated
  | PodPermitted
  | PodStarted
  | PodTerminating
  | PodUnschedulable
  | PodUpdated
  | PodWaiting
  | PodsDefaulted
  | RunFinished
  | RunStarted
  | RunStopped
  | VictimsSelected
  | WorkloadScaled;
