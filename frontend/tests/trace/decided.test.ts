import { expect, it } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import type { PodItem } from "../../src/api/types";
import { ClusterModel } from "../../src/trace/cluster_model";
import { decidedOf } from "../../src/trace/decided";
import { RunStore } from "../../src/trace/run_store";

const pod = (name: string, node: string | null = null, phase = "Pending"): PodItem => ({ namespace: "a", name, node, phase, priority: 0, requests: {}, owner: "", labels: {} });

it("tells pods that were decided from those that no attempt has ended for", () => {
  const store = new RunStore();
  const model = new ClusterModel([], [pod("old", "n"), pod("done", null, "Failed"), pod("placed"), pod("refused"), pod("again"), pod("now"), pod("next"), pod("later")], store);
  const events = [
    ...["placed", "refused", "again", "now", "next"].map((name) => ({ type: "PodEnqueued", pod: `a/${name}`, queue: "active", event: "PodAdd" })),
    { type: "CycleStarted", cycle: 1, pod: "a/placed", attempt: 1 },
    { type: "PodBound", cycle: 1, pod: "a/placed", node: "n" },
    { type: "CycleStarted", cycle: 2, pod: "a/refused", attempt: 1 },
    { type: "PodUnschedulable", cycle: 2, pod: "a/refused", message: "no" },
    { type: "PodEnqueued", pod: "a/refused", queue: "unschedulable", event: "ScheduleAttemptFailure", attempts: 1 },
    { type: "PodEnqueued", pod: "a/again", queue: "active", event: "NodeAdd", attempts: 1 },
    { type: "CycleStarted", cycle: 3, pod: "a/again", attempt: 2 },
    { type: "CycleStarted", cycle: 4, pod: "a/now", attempt: 1 },
  ].map((event, at) => ({ seq: at + 1, t_us: 0, ...event }) as TraceEvent);
  store.append(events);
  expect(decidedOf(store, model)).toEqual({ placed: 1, refused: 2, untried: 3 });
});
