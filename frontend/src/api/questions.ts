/** A question of planning that may take long: asked as a job, with what is known by then, and dropped when asked anew. */

import { count } from "../base/format";
import { send } from "./client";
import { cancelJob, follow } from "./plans";
import type { Ask, Edit, PendingPod } from "./plans";
import { ApiError } from "./problem";
import type { FieldError, JobInfo } from "./types";

export interface Repair {
  changes: { kind: string; text: string; object: string; evict: string[]; add_like: string }[];
  text: string;
  node: string;
  difference: { newly_pending: PendingPod[]; gone: string[]; moved: { pod: string }[]; rescued: unknown[]; new: unknown[] };
  edits: Edit[];
}

export interface Repairs {
  pod: string;
  message: string;
  repairs: Repair[];
  tried: number;
  text: string;
  in_the_way: { kind: string; text: string }[];
  note: string;
  /** That none of them makes room, or nothing. */
  warning: string;
}

export interface CapacityPoint {
  pods: number;
  feasible: number;
  evaluated: number;
  requested: Record<string, number>;
}

export interface Capacity {
  rounds: number;
  pods: number;
  placements: Record<string, number>;
  stopped_by: PendingPod | null;
  curve: CapacityPoint[];
  allocatable: Record<string, number>;
  text: string;
}

export interface Growth {
  model: string;
  nodes: number | null;
  pending: PendingPod[];
  curve: { nodes: number; pending: number }[];
  text: string;
  edits: Edit[];
}

export interface NodeRemoval {
  node: string;
  like: string[];
  can_go: boolean;
  num_pods: number;
  newly_pending: PendingPod[];
  evicted: string[];
  /** What keeps a drain from its end, or nothing. */
  held_by: string;
  /** Pods whose emptyDir volumes go with the node. */
  loses: string[];
}

export interface Removals {
  nodes: NodeRemoval[];
  together: string[];
  text: string;
  /** When they are drained, or nothing: at once. */
  at: string;
}

/** A pod to place again and again: one of the cluster, or one that is written. */
export interface TemplateWanted {
  like?: string;
  pod?: Record<string, unknown>;
  count: number;
}

export interface PlanBody {
  cluster: string;
  question: "repairs" | "capacity" | "growth" | "removals";
  edits: readonly Edit[];
  ask: Ask;
  pod?: string;
  model?: string;
  templates?: TemplateWanted[];
  limit?: number;
}

const WAIT = "wait=1";

export class Question<A> {
  state: "idle" | "asking" | "answered" | "stopped" | "failed" = "idle";
  /** The answer, or while it is asked and after a stop what is known of it. */
  answer: A | null = null;
  job: JobInfo | null = null;
  problem = "";
  errors: FieldError[] = [];
  private of = "";
  private asked = new AbortController();

  constructor(private readonly changed: () => void) {}

  /** How far it is: "tried 7 of 23 changes", and before anything was tried what is being done. */
  get words(): string {
    const { done = 0, total = null, unit = "", text = "" } = this.job?.progress ?? {};
    if (total) return `tried ${count(done)} of ${count(total)} ${unit}`;
    return done ? `tried ${count(done)} ${unit}` : text || "asking";
  }

  /** Whether the answer is to another question than this one. */
  isStale(body: PlanBody): boolean {
    return this.state !== "idle" && JSON.stringify(body) !== this.of;
  }

  async ask(body: PlanBody): Promise<void> {
    this.drop();
    const { signal } = (this.asked = new AbortController());
    this.of = JSON.stringify(body);
    this.become("asking", null);
    try {
      const response = await send("plans", { method: "POST", headers: { "Content-Type": "application/json", Prefer: WAIT }, body: this.of, signal });
      const said: unknown = await response.json();
      const found = response.status === 202 ? await follow(said as JobInfo, signal, (job) => this.hear(job, signal)) : (said as Record<string, unknown>);
      if (!signal.aborted) this.become("answered", found["answer"] as A);
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof ApiError ? error.message : "The answer could not be read.";
      this.errors = error instanceof ApiError ? error.errors : [];
      this.become("failed", this.answer);
    }
  }

  /** Ends the question; what is known by then stays. */
  stop(): void {
    this.drop();
    if (this.state === "asking") this.become("stopped", this.answer);
  }

  private hear(job: JobInfo, signal: AbortSignal): void {
    if (signal.aborted) return void cancelJob(job.id).catch(() => undefined);
    this.job = job;
    this.answer = (job.progress.so_far as A | undefined) ?? this.answer;
    this.changed();
  }

  private drop(): void {
    this.asked.abort();
    if (this.state === "asking" && this.job) void cancelJob(this.job.id).catch(() => undefined);
  }

  private become(state: Question<A>["state"], answer: A | null): void {
    this.state = state;
    this.answer = answer;
    if (state !== "stopped") this.job = null;
    if (state !== "failed") this.problem = "";
    this.changed();
  }
}
