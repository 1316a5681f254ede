import { expect, it } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import type { PodItem } from "../../src/api/types";
import { ClusterModel } from "../../src/trace/cluster_model";
import { RunStore } from "../../src/trace/run_store";
import { isUntried, untriedOf } from "../../src/trace/untried";

const pod = (name: string, node: string | null): PodItem => ({ namespace: "a", name, node, phase: "Pending", priority: 0, requests: {}, owner: "", labels: {} });
const events: TraceEvent[] = [
  { seq: 1, t_us: 0, type: "RunStarted", num_nodes: 0, num_bound: 1, num_pending: 3, engine_version: "1" },
  { seq: 2, t_us: 0, type: "AdmissionRefused", object: "Pod/a/forbidden", by: "import", message: "no" },
  { seq: 3, t_us: 0, type: "PodEnqueued", pod: "a/gated", queue: "gated", priority: 0 } as TraceEvent,
];
const finished: TraceEvent = { seq: 4, t_us: 0, type: "RunFinished", num_cycles: 0, num_bound: 1, num_pending: 2 };

it("knows at the end which pending pods no queue ever took, and none before it", () => {
  const store = new RunStore();
  const model = new ClusterModel([], [pod("bound", "n"), pod("alone", null), pod("forbidden", null), pod("gated", null)], store);
  store.append(events);
  expect(untriedOf(store, model)).toEqual([]);
  store.append([finished]);
  expect(untriedOf(store, model).map((id) => store.words.pods.name(id))).toEqual(["a/alone"]);
  const untried = (name: string) => isUntried(store, model, store.words.pods.find(`a/${name}`));
  expect([untried("alone"), untried("forbidden"), untried("gated"), untried("bound")]).toEqual([true, false, false, false]);
});
