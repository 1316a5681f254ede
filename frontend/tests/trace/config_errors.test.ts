import { expect, it } from "vitest";
import { lineOf, placeInForm, shortened } from "../../src/trace/config_errors";

const TEXT = `kind: KubeSchedulerConfiguration
profiles:
- schedulerName: a
  plugins:
    score:
      enabled:
      - name: Coscheduling
        weight: 3
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: Foo
- schedulerName: b
`;

it("finds the line of what is only named", () => {
  expect(lineOf({ message: "wrong", line: 3 }, TEXT)).toBe(3);
  expect(lineOf({ message: 'creating profile for scheduler name a: ScorePlugin "Coscheduling" does not exist' }, TEXT)).toBe(7);
  expect(lineOf({ message: "wrong" }, TEXT)).toBe(0);
});

it("says what is wrong without the way there", () => {
  const told = { type: "Start", field: "profiles[0].plugins.score", line: 7, message: 'scheduler: initializing profiles: creating profile for scheduler name a: ScorePlugin "X" does not exist' };
  expect(shortened(told)).toEqual({ type: "", field: "", line: 7, message: 'a: ScorePlugin "X" does not exist' });
  const other = { type: "Invalid value", field: "podMaxBackoffSeconds", message: "too low" };
  expect(shortened(other)).toEqual(other);
});

it("finds the field of the form", () => {
  expect(placeInForm({ field: "profiles[0].plugins.score", message: 'ScorePlugin "Coscheduling" does not exist' }, TEXT)).toEqual({ profile: 0, point: "score", plugin: "Coscheduling", field: "" });
  expect(placeInForm({ field: "profiles[0].plugins.score.enabled[0].weight", line: 8, message: "out of range" }, TEXT)).toEqual({ profile: 0, point: "score", plugin: "Coscheduling", field: "weight" });
  expect(placeInForm({ field: "profiles[0].pluginConfig[0].args.scoringStrategy.type", line: 13, message: "no" }, TEXT)).toEqual({ profile: 0, point: "", plugin: "NodeResourcesFit", field: "scoringStrategy.type" });
  expect(placeInForm({ field: "profiles[1].schedulerName", message: "twice" }, TEXT)).toEqual({ profile: 1, point: "", plugin: "", field: "schedulerName" });
  expect(placeInForm({ field: "podMaxBackoffSeconds", message: "too low" }, TEXT)).toEqual({ profile: -1, point: "", plugin: "", field: "podMaxBackoffSeconds" });
});

it("counts the arguments of a form that was refused as the form has them", () => {
  const error = { field: "profiles[0].pluginConfig[1].args.hardPodAffinityWeight", line: 99, message: "no" };
  expect(placeInForm(error, TEXT, ["NodeResourcesFit", "InterPodAffinity"]).plugin).toBe("InterPodAffinity");
});
