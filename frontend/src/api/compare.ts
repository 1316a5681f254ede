/** Two runs compared, as the interface answers it. */

import { send } from "./client";
import { follow } from "./plans";
import type { JobInfo } from "./types";

export type ChangeKind = "newly pending" | "rescued" | "moved" | "new" | "gone";

/** A node; "" for a pod that waits; null where there is no such pod. */
export interface PlacementChange {
  pod: string;
  before: string | null;
  after: string | null;
  kind: ChangeKind;
  why: string;
  instead: string;
}

export interface Waits {
  num_pods: number;
  mean_us: number;
  p50_us: number;
  p95_us: number;
  max_us: number;
  classes: number[];
}

export interface ScoreRow {
  plugin: string;
  old_before: number | null;
  new_before: number | null;
  old_after: number | null;
  new_after: number | null;
}

export interface DivergingCycle {
  cycle_before: number;
  cycle_after: number;
  pod: string;
  node_before: string;
  node_after: string;
  tipped_by: string[];
  feasible_before: number | null;
  feasible_after: number | null;
  refused: { plugin: string; before: number; after: number }[];
  scores: ScoreRow[];
}

export interface Comparison {
  notes: string[];
  same: boolean;
  text: string;
  kinds: Record<ChangeKind, number>;
  until_us: number | null;
  num_cycles_before: number;
  num_cycles_after: number;
  sentences: string[];
  num_placements: number;
  placements: PlacementChange[];
  num_victims: number;
  victims: { pod: string; before: boolean; after: boolean }[];
  num_waits: number;
  waits: { pod: string; before_us: number; after_us: number }[];
  waits_before: Waits;
  waits_after: Waits;
  first_difference: { seq: number; t_us: number; before: string; after: string } | null;
  first_diverging_cycle: DivergingCycle | null;
}

/** Compares as far as both have come; long runs take a while. */
export async function compareRuns(before: string, after: string, signal: AbortSignal): Promise<Comparison> {
  const response = await send(`runs/${before}/compare?with=${after}&so_far=true`, { headers: { Prefer: "wait=20" }, signal });
  const said: unknown = await response.json();
  return (response.status === 202 ? await follow(said as JobInfo, signal, () => undefined) : said) as Comparison;
}
