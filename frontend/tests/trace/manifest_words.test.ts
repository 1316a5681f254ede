import { describe, expect, it } from "vitest";
import type { ManifestSchema } from "../../src/api/manifest_schema";
import { placeAt } from "../../src/base/yaml_place";
import { meaningOf, suggestions } from "../../src/trace/manifest_words";

const schema: ManifestSchema = {
  kinds: { Pod: { api_version: "v1", type: "Pod", namespaced: true, doc: "A pod." } },
  types: {
    Pod: { spec: { type: "PodSpec" }, status: { type: "any" } },
    PodSpec: {
      tolerations: { type: "Toleration", form: "list", doc: "Taints that do not keep it off." },
      nodeSelector: { type: "text", form: "map" },
      overhead: { type: "quantity", form: "map" },
      hostNetwork: { type: "flag" },
      hostPID: { type: "any", is_read: false },
    },
    Toleration: { effect: { type: "text", values: ["NoSchedule", "NoExecute"] } },
  },
};
const offered = (text: string) => suggestions(schema, placeAt(text, text.length)).map((one) => one.label);

describe("what is offered", () => {
  it("are kinds, then the kind's fields, then the values of a field", () => {
    expect(offered("")).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(offered("kind: P")).toEqual(["Pod"]);
    expect(offered("kind: Pod\nspec:\n  ")).toEqual(["tolerations", "nodeSelector", "overhead", "hostNetwork", "hostPID"]);
    expect(offered("kind: Pod\nspec:\n  tolerations:\n  - ")).toEqual(["effect"]);
    expect(offered("kind: Pod\nspec:\n  tolerations:\n  - effect: ")).toEqual(["NoSchedule", "NoExecute"]);
    expect(offered("kind: Pod\nspec:\n  hostNetwork: ")).toEqual(["true", "false"]);
  });

  it("are the usual resources where amounts stand by name, and nothing where anything may", () => {
    expect(offered("kind: Pod\nspec:\n  overhead:\n    ")).toEqual(["cpu", "memory", "ephemeral-storage", "pods"]);
    expect(offered("kind: Pod\nspec:\n  nodeSelector:\n    ")).toEqual([]);
    expect(offered("kind: Pod\nspec:\n  unknown:\n    ")).toEqual([]);
  });

  it("opens lists and maps on the next line", () => {
    const text = "kind: Pod\nspec:\n  tol";
    const [first] = suggestions(schema, placeAt(text, text.length));
    expect(first!.text).toBe("tolerations:\n    - ");
  });
});

it("says what a field means", () => {
  expect(meaningOf(schema, { kind: "Pod", path: ["spec", "tolerations"] })).toEqual({ title: "tolerations: list of Toleration", text: "Taints that do not keep it off." });
  expect(meaningOf(schema, { kind: "Pod", path: ["spec", "tolerations", "[]", "effect"] })!.text).toBe("One of NoSchedule, NoExecute.");
  expect(meaningOf(schema, { kind: "Pod", path: ["spec", "nodeSelector", "disk"] })).toBeNull();
});
