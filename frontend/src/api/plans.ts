/** Questions of planning: asked by POST, waited for, and where they take longer followed as a job. */

import { send } from "./client";
import { ApiError } from "./problem";
import { untilAnswered } from "./server_back";
import type { JobInfo, NodeItem, PodItem } from "./types";

/** A scenario's edit as the interface takes it: a kind and its fields. */
export type Edit = { kind: string } & Record<string, unknown>;

export interface Ask {
  ask: "continue" | "reschedule" | "replan";
  nodes?: string[];
  pods?: string[];
  namespaces?: string[];
  owners?: string[];
}

export interface PendingPod {
  pod: string;
  message: string;
  plugins: string[];
}

export interface Changes {
  text: string;
  newly_pending: PendingPod[];
  rescued: { pod: string; node: string }[];
  moved: { pod: string; before: string; after: string; instead: string }[];
  new: { pod: string; node: string }[];
  gone: string[];
  refused: { edit: number; text: string; message: string }[];
  stopped: string;
}

/** What edits come to; of nodes and pods only what is other than in the cluster. */
export interface WhatIf {
  changes: Changes;
  sentences: string[];
  nodes: NodeItem[];
  pods: PodItem[];
  /** Of the cluster, that was asked about. */
  revision: string;
  gone_nodes: string[];
  gone_pods: string[];
}

/** How far a question is that takes long. */
export type Told = (job: JobInfo) => void;

/** Seconds: an answer that takes longer is followed, with its progress. */
const FIRST_WAIT = 2;
const NEXT_WAIT = 1;
const OVER = new Set(["finished", "failed", "cancelled", "interrupted"]);

/**
 * What edits of a cluster change. A question takes the place of the one of its series that is not answered yet.
 */
export async function whatIf(cluster: string, edits: readonly Edit[], ask: Ask, series: string, signal: AbortSignal, told: Told): Promise<WhatIf> {
  const headers = { "Content-Type": "application/json", Prefer: `wait=${FIRST_WAIT}` };
  const body = JSON.stringify({ cluster, question: "what-if", edits, ask, series });
  const response = await untilAnswered(() => send("plans", { method: "POST", headers, body, signal }), signal);
  const said: unknown = await response.json();
  const found = response.status === 202 ? await follow(said as JobInfo, signal, told) : (said as Record<string, unknown>);
  return { ...(found["answer"] as WhatIf), revision: String(found["revision"] ?? "") };
}

export async function follow(first: JobInfo, signal: AbortSignal, told: Told): Promise<Record<string, unknown>> {
  let job = first;
  while (!OVER.has(job.status)) {
    told(job);
    const path = `jobs/${job.id}`;
    const response = await untilAnswered(() => send(path, { headers: { Prefer: `wait=${NEXT_WAIT}` }, signal }), signal);
    job = (await response.json()) as JobInfo;
  }
  if (job.status !== "finished") throw new ApiError(422, { detail: job.message, errors: job.errors });
  return job.result ?? {};
}

/** Has a question dropped. */
export async function cancelJob(id: string): Promise<void> {
  await send(`jobs/${id}/cancel`, { method: "POST" });
}

/** Starts a run with these edits; its identifier. */
export async function runWith(cluster: string, edits: readonly Edit[], ask: Ask): Promise<string> {
  const body = JSON.stringify({ cluster, edits, question: ask });
  const response = await send("runs", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return ((await response.json()) as { id: string }).id;
}

/** Manifests as plain objects; what is wrong with them is an ApiError with the lines. */
export interface Manifests {
  objects: Record<string, unknown>[];
  /** Kind → how many objects of it scheduling does not read. */
  skipped: Record<string, number>;
}

export async function judgeManifests(text: string): Promise<Manifests> {
  const response = await send("manifests", { method: "POST", headers: { "Content-Type": "application/yaml" }, body: text });
  return (await response.json()) as Manifests;
}

export async function readManifests(text: string): Promise<Record<string, unknown>[]> {
  return (await judgeManifests(text)).objects;
}
