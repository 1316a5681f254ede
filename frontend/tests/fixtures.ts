/** Recorded runs of the example clusters: nodes, pods, events and every cycle's detail as the interface gave them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TraceEvent } from "../src/api/events.gen";
import type { CycleDetail, NodeItem, PodItem } from "../src/api/types";
import { ClusterModel } from "../src/trace/cluster_model";
import { RunStore } from "../src/trace/run_store";

export interface Recording {
  nodes: NodeItem[];
  pods: PodItem[];
  events: TraceEvent[];
  details: Record<string, CycleDetail>;
}

export function recorded(name: "eighth-replica" | "four-reasons" | "evicted"): Recording {
  const path = join(import.meta.dirname, "fixtures", `${name}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as Recording;
}

export function storeOf(recording: Recording, interval?: number): { store: RunStore; model: ClusterModel } {
  const store = new RunStore(interval);
  const model = new ClusterModel(recording.nodes, recording.pods, store);
  store.append(recording.events);
  return { store, model };
}

/** The names of the pods in a state, in order of their ids. */
export function podsIn(store: RunStore, state: number): string[] {
  const { pods } = store.state;
  return store.words.pods.all.filter((_, id) => pods.state[id] === state);
}
