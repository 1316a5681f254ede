import { expect, it } from "vitest";
import type { TraceEvent } from "../../src/api/events.gen";
import { TurnedAway } from "../../src/trace/turned_away";

const quota = "failed quota: team-a: must specify requests.cpu for: web";
const refused = (seq: number, name: string): TraceEvent => ({ seq, t_us: seq, type: "AdmissionRefused", object: `Pod/team-a/${name}`, by: "replicaset-controller", message: `pods "${name}" is forbidden: ${quota}` });
const drain: TraceEvent = { seq: 3, t_us: 3, type: "EditRefused", edit: 1, kind: "drain", text: "Drain node-1", message: "the drain did not end: still there: shop/db-1" };

it("counts a reason once for all objects, and reads each event once", () => {
  const log = [refused(1, "web-a"), refused(2, "web-b"), drain];
  const turnedAway = new TurnedAway();
  turnedAway.update({ lastSeq: 2, log });
  expect(turnedAway.admissions).toEqual([{ reason: quota, object: "Pod/team-a/web-a", times: 2 }]);
  expect(turnedAway.edits).toEqual([]);
  turnedAway.update({ lastSeq: 3, log }).update({ lastSeq: 3, log });
  expect(turnedAway.edits).toEqual([drain]);
  expect(turnedAway.admissions[0]!.times).toBe(2);
});
