import { expect, it } from "vitest";
import type { Catalogue } from "../../src/api/profiles";
import { placeAt } from "../../src/base/yaml_place";
import { configSchema } from "../../src/trace/config_schema";
import { suggestions } from "../../src/trace/manifest_words";

const catalogue: Catalogue = {
  plugins: [
    { name: "NodeResourcesFit", points: ["filter", "score"], defaultWeight: 1, defaultArgs: { ignoredResources: [], scoringStrategy: { type: "LeastAllocated" } } },
    { name: "PodTopologySpread", points: ["score"], defaultWeight: 2, defaultArgs: { defaultConstraints: [], defaultingType: "System" } },
    { name: "ImageLocality", points: ["score"], defaultWeight: 1, defaultArgs: {} },
  ],
  points: { filter: [], score: [] },
};
const HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

/** What is offered at the end of a text. */
function offered(text: string): string[] {
  return suggestions(configSchema(catalogue), placeAt(HEAD + text, (HEAD + text).length)).map((one) => one.label);
}

it("offers what a configuration can say at its place", () => {
  expect(offered("profiles:\n- ")).toEqual(["schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"]);
  expect(offered("profiles:\n- plugins:\n    ")).toEqual(["filter", "score", "multiPoint"]);
  expect(offered("profiles:\n- plugins:\n    score:\n      enabled:\n      - name: ")).toEqual(["NodeResourcesFit", "PodTopologySpread", "ImageLocality"]);
  expect(offered("profiles:\n- pluginConfig:\n  - name: ")).toEqual(["NodeResourcesFit", "PodTopologySpread"]);
  expect(offered("profiles:\n- pluginConfig:\n  - args:\n      scoringStrategy:\n        type: ")).toContain("MostAllocated");
  expect(offered("profiles:\n- pluginConfig:\n  - args:\n      defaultingType: ")).toEqual(["System", "List"]);
  expect(offered("profiles:\n- pluginConfig:\n  - args:\n      defaultConstraints:\n      - whenUnsatisfiable: ")).toEqual(["ScheduleAnyway", "DoNotSchedule"]);
});
