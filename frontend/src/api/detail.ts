/** A cycle's detail, as scheduler_core/trace/detail.py makes it, and the answer about one node. */

export interface StatusItem {
  code: string;
  plugin: string;
  reasons: string[];
}

/** The numbers behind a refusal; which ones, each plugin says. */
export type NumbersRecord = Record<string, unknown>;

/** What NodeResourcesFit says. */
export interface NeedItem {
  resource: string;
  requested: number;
  used: number;
  allocatable: number;
  short: number;
}

export interface ExplanationItem {
  text: string;
  plugin?: string;
  code?: string;
  reasons?: string[];
  nodes?: string[];
  num_nodes?: number;
}

export interface RemedyItem {
  kind: string;
  text: string;
  plugin: string;
  nodes: string[];
  num_nodes: number;
}

export interface PrefilterItem {
  plugin: string;
  skipped?: boolean;
  status?: number;
  nodes?: number;
}

export type Did = "ran" | "skipped" | "refused" | "waits" | "error" | "later";

export interface CallItem {
  plugin: string;
  did?: Did;
  text?: string;
}

export interface PointItem {
  name: string;
  /** Absent where the cycle did not get there. */
  did?: Did | "";
  text?: string;
  calls?: CallItem[];
}

export interface SampleItem {
  text: string;
  start_index?: number;
  num_candidates?: number;
  num_to_find?: number;
  percentage?: number;
}

export interface CandidateItem {
  node: string;
  victims: string[];
  num_pdb_violations?: number;
  highest_priority?: number;
  sum_of_priorities?: number;
  start_us?: number | null;
  budgets?: string[];
}

export interface PreemptionItem {
  text: string;
  criterion?: string;
  candidates?: CandidateItem[];
  num_candidates?: number;
  not_helpful?: { text: string; num_nodes: number; nodes: string[] }[];
}

export interface MessagePart {
  text: string;
  cause?: "" | "filter" | "preemption";
  reason?: string;
  num_nodes?: number;
}

/** Everything about one scheduling cycle; rows are indices into `nodes`. */
export interface CycleDetail {
  cycle: number;
  t_us: number;
  pod: string;
  attempt: number;
  step?: number;
  /** "running" is said by the pages alone, of a cycle that the playhead stands inside of. */
  result: "scheduled" | "unschedulable" | "error" | "running";
  /** Set by the pages alone: what is not decided at the playhead is left out. */
  under_way?: boolean;
  /** The same, where not all filters were asked yet. */
  filtering?: boolean;
  node: string | null;
  num_nodes: number;
  num_evaluated: number;
  num_feasible: number;
  next_start_node_index: number;
  message: string;
  message_parts: MessagePart[];
  nominated_node: string | null;
  victims: string[];
  unschedulable_plugins: string[];
  pending_plugins: string[];
  /** Why the chosen node was chosen. */
  decision: string;
  points: PointItem[];
  sample: SampleItem | null;
  nodes: string[];
  statuses: StatusItem[];
  outcome: number[];
  /** Empty where a plugin lets every node pass. */
  filters: Record<string, number[]>;
  prefilter: PrefilterItem[];
  scored: number[];
  weights: Record<string, number>;
  raw: Record<string, number[]>;
  normalized: Record<string, number[]>;
  weighted: Record<string, number[]>;
  total: number[];
  ties: number[];
  tie_break: string;
  /** Plugin → row → index into `records` and `texts`. */
  numbers: Record<string, Record<string, number>>;
  records: NumbersRecord[][];
  texts: string[];
  pod_numbers: Record<string, NumbersRecord[]>;
  /** Absent in details of older runs. */
  score_numbers?: Record<string, NumbersRecord[]>;
  preemption: PreemptionItem | null;
  explanation: ExplanationItem[];
  remedies: RemedyItem[];
}

export type NodeVerdict = "chosen" | "fits" | "refused" | "refused_for_good" | "not_looked_at" | "unknown";

/** Why a pod did or did not go to a node. */
export interface NodeAnswer {
  cycle: number;
  pod: string;
  node: string;
  verdict: NodeVerdict;
  text: string;
  refusals: { plugin: string; code: string; reasons: string[]; text: string }[];
  remedies: RemedyItem[];
  preemption: string;
}

/** Whom a node refused: a page of cycles, the latest first. */
export interface NodeStory {
  answers: NodeAnswer[];
  num_cycles: number;
  /** `until` of the next page; null after the last. */
  next_until: number | null;
}
