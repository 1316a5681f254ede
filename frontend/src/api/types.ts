/** What the REST interface answers, as the pages use it. */

export interface FieldError {
  file?: string | null;
  document?: number | null;
  line?: number | null;
  column?: number | null;
  field?: string | null;
  value?: unknown;
  type?: string | null;
  message: string;
  /** "Pod api-7" and the container's name, where they are known. */
  object?: string | null;
  container?: string | null;
  /** What to do about it. */
  hint?: string | null;
}

/** Work that outlasts a request. */
export interface JobInfo {
  id: string;
  kind: string;
  status: RunStatus;
  progress: { text?: string; done?: number; total?: number | null; unit?: string; so_far?: unknown };
  result: Record<string, unknown> | null;
  errors: FieldError[];
  message: string;
}

export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  errors?: FieldError[];
}

export interface Counts {
  nodes: number;
  pods: number;
  bound: number;
  pending: number;
}

export interface Cluster {
  id: number | string;
  name: string;
  revision: string;
  created_at: string;
  counts: Counts;
  skipped?: { kind: string; count: number }[];
  warnings?: (string | FieldError)[];
  errors?: FieldError[];
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

export interface NodeItem {
  name: string;
  labels: Record<string, string>;
  taints: Taint[];
  unschedulable: boolean;
  ready?: boolean | null;
  allocatable: Record<string, number>;
}

export interface PodItem {
  namespace: string;
  name: string;
  node: string | null;
  phase: string;
  priority: number | null;
  requests: Record<string, number>;
  owner: string;
  labels: Record<string, string>;
}

export type RunStatus = "pending" | "running" | "finished" | "failed" | "cancelled" | "interrupted";

export interface HeadlineLine {
  text: string;
  tone?: "good" | "plain" | "warning" | "bad";
  /** Those it is about, as namespace/name. */
  pods?: string[];
  /** The type of event in the log that tells more. */
  event?: string;
}

export interface RunInfo {
  id: number | string;
  cluster?: number | string;
  revision?: string;
  status: RunStatus;
  progress?: { cycles?: number; bound?: number; pending?: number; t_us?: number } | null;
  last_seq?: number;
  num_cycles?: number | null;
  created_at?: string;
  started_at?: string | null;
  finished_at?: string | null;
  errors?: FieldError[];
  message?: string;
  /** What it came to, the most important first; only of a run that has ended. */
  headline?: HeadlineLine[];
  /** What the configuration sets without effect, or what was left out of it. */
  notes?: string[];
  /** Lines for the shell that repeat it elsewhere; only where one run is read. */
  repeat?: string;
}

export type * from "./detail";
