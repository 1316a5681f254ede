import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import type { CycleDetail, PointItem } from "../../src/api/detail";
import { pointsOf } from "../../src/trace/binding";
import { shortText } from "../../src/trace/extension_points";
import { RunStore } from "../../src/trace/run_store";
import { recorded, storeOf } from "../fixtures";

type Bare = TraceEvent extends infer E ? (E extends TraceEvent ? Omit<E, "seq"> : never) : never;

const SCHEDULED: readonly Bare[] = [
  { t_us: 1000, type: "CycleStarted", cycle: 1, pod: "a/x", attempt: 1 },
  { t_us: 1000, type: "PodAssumed", cycle: 1, pod: "a/x", node: "n1" },
];
const NEXT: Bare = { t_us: 2000, type: "CycleStarted", cycle: 2, pod: "a/y", attempt: 1 };
const BOUND: Bare = { t_us: 4313, type: "PodBound", cycle: 1, pod: "a/x", node: "n1" };
const POINTS: readonly PointItem[] = [
  { name: "Permit", did: "ran" },
  { name: "PreBind", did: "later", calls: [{ plugin: "VolumeBinding", did: "later" }, { plugin: "DynamicResources", did: "skipped" }] },
  { name: "Bind", did: "later", calls: [{ plugin: "DefaultBinder", did: "later" }] },
  { name: "PostBind", did: "later" },
];
const WAITS: PointItem = { name: "Permit", did: "waits", text: "Doorman has the pod wait", calls: [{ plugin: "Doorman", did: "waits" }] };

function pointsAfter(events: readonly Bare[], at: number, points: readonly PointItem[] = POINTS, over = true) {
  const store = new RunStore();
  store.append(events.map((event, i) => ({ ...event, seq: i + 1 }) as TraceEvent));
  store.seek(at);
  return Object.fromEntries(pointsOf({ cycle: 1, points } as CycleDetail, store, over).map((point) => [point.name, point]));
}

describe("a binding that succeeded", () => {
  const events = [...SCHEDULED, NEXT, BOUND];

  test("is told with its time and its plugin once the playhead is there", () => {
    const found = pointsAfter(events, 4);
    expect(found["PreBind"]).toMatchObject({ did: "ran", text: "at t 0.004 s", calls: [{ did: "ran" }, { did: "skipped" }] });
    expect(found["Bind"]).toMatchObject({ did: "ran", text: "to n1 at t 0.004 s", calls: [{ plugin: "DefaultBinder", did: "ran", text: "bound the pod to n1 at t 0.004 s" }] });
    expect(found["PostBind"]!.did).toBe("ran");
    expect(shortText(found["Bind"]!)).toBe("t 0.004 s");
  });

  test("is still to come before, and nothing more is said of it", () => {
    const found = pointsAfter(events, 2);
    expect(found["Bind"]).toMatchObject({ did: "later", text: "still to come" });
    expect(found["Bind"]!.calls).toEqual([{ plugin: "DefaultBinder", did: "later", text: "still to come" }]);
    expect(found["PreBind"]!.calls[1]!.did).toBe("skipped");
    expect(JSON.stringify(found)).not.toContain("n1");
  });

  test("names the extender that was asked instead of the plugins", () => {
    const found = pointsAfter([...SCHEDULED, { ...BOUND, extender: "http://e.example" } as Bare], 3);
    expect(found["Bind"]!.calls).toEqual([
      { plugin: "http://e.example", did: "ran", text: "bound the pod to n1 at t 0.004 s" },
      { plugin: "DefaultBinder", did: "skipped", text: "the extender binds" },
    ]);
  });

  test("after a wait at Permit says when the pod was let go", () => {
    const events: Bare[] = [
      ...SCHEDULED,
      { t_us: 1000, type: "PodWaiting", cycle: 1, pod: "a/x", node: "n1", plugin: "Doorman" },
      { t_us: 3_000_000, type: "PodPermitted", cycle: 1, pod: "a/x", node: "n1" },
      { ...BOUND, t_us: 3_003_000 } as Bare,
    ];
    expect(pointsAfter(events, 5, [WAITS, ...POINTS.slice(1)])["Permit"]!.text).toBe("Doorman has the pod wait; let go at t 3.000 s");
  });
});

describe("a binding that failed", () => {
  const fails = (message: string, plugins: string[], error: boolean): Bare => ({ t_us: 5000, type: "PodUnschedulable", cycle: 1, pod: "a/x", message, plugins, error });

  test("is told at its point, and what would have come after is not reached", () => {
    const found = pointsAfter([...SCHEDULED, fails('running PreBind plugin "VolumeBinding": timed out', [], true)], 3);
    expect(found["PreBind"]).toMatchObject({ did: "error", text: 'running PreBind plugin "VolumeBinding": timed out (at t 0.005 s)' });
    expect(found["PreBind"]!.calls).toEqual([{ plugin: "VolumeBinding", did: "error", text: 'running PreBind plugin "VolumeBinding": timed out (at t 0.005 s)' }]);
    expect(found["Bind"]).toMatchObject({ did: "", calls: [] });
    expect(found["PostBind"]!.did).toBe("");
  });

  test("by a refusal is told where the plugin that refuses stands, and before the playhead as still to come", () => {
    const refusal = fails("0/1 nodes are available: 1 node(s) unavailable.", ["VolumeBinding"], false);
    expect(pointsAfter([...SCHEDULED, refusal], 3)["PreBind"]!.did).toBe("refused");
    expect(pointsAfter([...SCHEDULED, refusal], 2)["PreBind"]).toMatchObject({ did: "later", text: "still to come" });
    expect(JSON.stringify(pointsAfter([...SCHEDULED, refusal], 2))).not.toContain("unavailable");
  });

  test("at Bind leaves PreBind done", () => {
    const found = pointsAfter([...SCHEDULED, fails("taken", [], true)], 3);
    expect(found["PreBind"]!.did).toBe("ran");
    expect(found["Bind"]).toMatchObject({ did: "error", calls: [{ plugin: "DefaultBinder", did: "error" }] });
  });

  test("for want of a permission is told at Permit", () => {
    const found = pointsAfter([...SCHEDULED, fails("0/1 nodes are available: 1 rejected due to timeout.", ["Doorman"], false)], 3, [WAITS, ...POINTS.slice(1)]);
    expect(found["Permit"]).toMatchObject({ did: "refused", calls: [{ plugin: "Doorman", did: "refused" }] });
    expect(found["Bind"]!.did).toBe("");
  });
});

test("a binding that the run never came to says so", () => {
  expect(pointsAfter(SCHEDULED, 2)["Bind"]).toMatchObject({ did: "later", text: "the run ended before this" });
  expect(pointsAfter(SCHEDULED, 2, POINTS, false)["Bind"]).toMatchObject({ did: "later", text: "not yet" });
});

describe("recorded runs", () => {
  const didOf = (name: "eighth-replica" | "evicted", cycle: number) => {
    const recording = recorded(name);
    const { store } = storeOf(recording);
    return Object.fromEntries(pointsOf(recording.details[cycle]!, store, true).map((point) => [point.name, point]));
  };

  test("a scheduled pod goes through to PostBind without PostFilter", () => {
    const found = didOf("eighth-replica", 1);
    expect(Object.keys(found).filter((name) => found[name]!.did === "ran")).toEqual(["PreFilter", "Filter", "PreScore", "Score", "Reserve", "Permit", "PreBind", "Bind", "PostBind"]);
    expect(found["PostFilter"]!.did).toBe("");
  });

  test("an unschedulable pod ends at PostFilter; with victims that helped", () => {
    expect(didOf("eighth-replica", 8)).toMatchObject({ Filter: { did: "refused" }, PostFilter: { did: "refused" }, Bind: { did: "" } });
    const postFilter = didOf("evicted", 1)["PostFilter"]!;
    expect(postFilter).toMatchObject({ did: "ran", text: "evicts 1 from node-2" });
    expect(shortText(postFilter)).toBe("evicts 1 from node-2");
  });
});
