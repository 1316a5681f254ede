/** The browser's store counts what the core counts: recordings of the core's numbers at each cycle, held against it. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PodState } from "../../src/trace/pod_columns";
import { utilisation } from "../../src/trace/series";
import { storeOf } from "../fixtures";
import type { Recording } from "../fixtures";

interface Counted {
  seq: number;
  bound: number;
  finished: number;
  placed: string[];
  /** Node → what its pods ask of cpu and how many they are. */
  used: Record<string, { cpu: number; pods: number }>;
  allocatable: number;
}

const folder = process.env["RECORDINGS"] ?? "";
const files = readdirSync(folder);

describe("counts", () => {
  it("has recordings to hold the store against", () => {
    expect(files.length).toBeGreaterThan(10);
  });

  it.each(files)("%s", (file) => {
    const recording = JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording & { counted: Counted[] };
    const { store, model } = storeOf(recording, 64);
    model.learn(store.log, store);
    const shares = utilisation(store, model, "cpu");
    expect(recording.counted.length).toBeGreaterThan(0);
    for (const wanted of recording.counted) {
      store.seek(wanted.seq);
      model.moveTo(wanted.seq);
      const { pods } = store.state;
      const used: Counted["used"] = {};
      const cpu = model.used("cpu", store.state);
      const number = model.used("pods", store.state);
      let all = 0;
      for (const name of Object.keys(wanted.used)) {
        const node = store.words.nodes.find(name);
        used[name] = { cpu: cpu[node] ?? 0, pods: number[node] ?? 0 };
        all += cpu[node] ?? 0;
      }
      const event = store.event(wanted.seq);
      expect({ seq: wanted.seq, used }).toEqual({ seq: wanted.seq, used: wanted.used });
      expect({ seq: wanted.seq, bound: pods.counts[PodState.BOUND], finished: pods.counts[PodState.FINISHED] }).toEqual({ seq: wanted.seq, bound: wanted.bound, finished: wanted.finished });
      if (event?.type === "CycleStarted" && wanted.allocatable > 0 && store.state.goneNodes.size === 0) {
        expect(shares[event.cycle - 1]).toBeCloseTo(all / wanted.allocatable, 9);
      }
      if (event?.type === "RunFinished") {
        store.follow();
        expect([...store.placed].map((pod) => store.words.pods.name(pod)).sort()).toEqual(wanted.placed);
        expect({ bound: event.num_bound, finished: event.num_finished ?? 0 }).toEqual({ bound: wanted.bound, finished: wanted.finished });
      }
    }
  });
});
