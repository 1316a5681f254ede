import { describe, expect, it } from "vitest";
import type { Catalogue, ConfigForm } from "../../src/api/profiles";
import { addProfile, argumentsOf, movePlugin, offAt, removeProfile, scaleEnd, scaleStart, setArgument, setWeight, turnOff, turnOn } from "../../src/trace/config_form";

const catalogue: Catalogue = {
  plugins: [
    { name: "Taints", points: ["filter", "score"], defaultWeight: 3, defaultArgs: {} },
    { name: "Fit", points: ["filter", "score"], defaultWeight: 1, defaultArgs: { ignored: [], strategy: { type: "Least", resources: [{ name: "cpu", weight: 1 }] } } },
    { name: "Image", points: ["score"], defaultWeight: 2, defaultArgs: {} },
  ],
  points: {
    filter: [{ name: "Taints" }, { name: "Fit" }],
    score: [
      { name: "Taints", weight: 3 },
      { name: "Fit", weight: 1 },
      { name: "Image", weight: 2 },
    ],
  },
};
const form: ConfigForm = {
  profiles: [{ schedulerName: "default-scheduler", percentageOfNodesToScore: null, points: catalogue.points, args: {} }],
  percentageOfNodesToScore: 0,
  podInitialBackoffSeconds: 1,
  podMaxBackoffSeconds: 10,
};
const names = (made: ConfigForm, point: string, at = 0) => made.profiles[at]!.points[point]!.map((place) => place.name);

describe("the form of a configuration", () => {
  it("moves a plugin to another place, and leaves the form before as it was", () => {
    expect(names(movePlugin(form, 0, "score", "Image", 0), "score")).toEqual(["Image", "Taints", "Fit"]);
    expect(names(movePlugin(form, 0, "score", "Taints", 2), "score")).toEqual(["Fit", "Image", "Taints"]);
    expect(names(movePlugin(form, 0, "score", "Nobody", 0), "score")).toEqual(["Taints", "Fit", "Image"]);
    expect(names(form, "score")).toEqual(["Taints", "Fit", "Image"]);
  });

  it("turns a plugin off and on again where it was, with its default weight", () => {
    const off = turnOff(form, 0, ["filter", "score"], "Taints");
    expect(names(off, "filter")).toEqual(["Fit"]);
    expect(offAt(off.profiles[0]!, "score", catalogue)).toEqual(["Taints"]);
    expect(turnOn(off, 0, ["filter", "score"], "Taints", catalogue)).toEqual(form);
    const moved = movePlugin(turnOff(form, 0, ["score"], "Fit"), 0, "score", "Image", 0);
    expect(names(turnOn(moved, 0, ["score"], "Fit", catalogue), "score")).toEqual(["Fit", "Image", "Taints"]);
  });

  it("sets a weight at the score point only", () => {
    const heavy = setWeight(form, 0, "Taints", 9);
    expect(heavy.profiles[0]!.points["score"]![0]).toEqual({ name: "Taints", weight: 9 });
    expect(heavy.profiles[0]!.points["filter"]![0]).toEqual({ name: "Taints" });
  });

  it("keeps of arguments what is not the default", () => {
    const most = setArgument(form, 0, "Fit", ["strategy", "type"], "Most", catalogue);
    expect(most.profiles[0]!.args).toEqual({ Fit: { strategy: { type: "Most" } } });
    expect(argumentsOf(most.profiles[0]!, "Fit", catalogue)["strategy"]).toEqual({ type: "Most", resources: [{ name: "cpu", weight: 1 }] });
    expect(setArgument(most, 0, "Fit", ["strategy", "type"], "Least", catalogue).profiles[0]!.args).toEqual({});
    expect(setArgument(form, 0, "Fit", ["ignored"], ["gpu"], catalogue).profiles[0]!.args).toEqual({ Fit: { ignored: ["gpu"] } });
  });

  it("adds a profile under a name that nobody has, and takes one away", () => {
    const three = addProfile(addProfile(form, 0), 0);
    expect(three.profiles.map((profile) => profile.schedulerName)).toEqual(["default-scheduler", "default-scheduler-2", "default-scheduler-3"]);
    expect(removeProfile(three, 1).profiles.map((profile) => profile.schedulerName)).toEqual(["default-scheduler", "default-scheduler-3"]);
  });

  it("has scales that end at a round number", () => {
    expect([scaleEnd(1), scaleEnd(10), scaleEnd(11), scaleEnd(3, 47), scaleEnd(1234)]).toEqual([10, 10, 20, 50, 2000]);
    expect([scaleStart(), scaleStart(3, 2), scaleStart(2, -3), scaleStart(-11, 5)]).toEqual([1, 1, -10, -20]);
  });
});
