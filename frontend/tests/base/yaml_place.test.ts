import { describe, expect, it } from "vitest";
import { keyAt, placeAt, withScalar } from "../../src/base/yaml_place";

/** The place of the | in a text. */
const at = (text: string) => placeAt(text.replace("|", ""), text.indexOf("|"));

describe("the place in a YAML text", () => {
  it("has the keys that lead to it", () => {
    expect(at("kind: Pod\nspec:\n  nodeSelector:\n    di|")).toMatchObject({ path: ["spec", "nodeSelector"], role: "key", word: "di", kind: "Pod" });
    expect(at("spec:\n  hostNetwork: tr|")).toMatchObject({ path: ["spec", "hostNetwork"], role: "value", word: "tr" });
  });

  it("knows lists, also where they stand under their key's own column", () => {
    expect(at("spec:\n  containers:\n    - name: a\n      im|").path).toEqual(["spec", "containers", "[]"]);
    expect(at("spec:\n  containers:\n  - name: a\n    image: x\n  - |").path).toEqual(["spec", "containers", "[]"]);
    expect(at("spec:\n  tolerations:\n  - key: a\n  ho|").path).toEqual(["spec"]);
    expect(at("spec:\n  tolerations:\n  - effect: No|")).toMatchObject({ path: ["spec", "tolerations", "[]", "effect"], role: "value" });
  });

  it("leaves deeper levels on an empty line by its column", () => {
    expect(at("spec:\n  affinity:\n    nodeAffinity:\n      a: b\n  |").path).toEqual(["spec"]);
    expect(at("metadata:\n  name: x\n|").path).toEqual([]);
  });

  it("stays in its document and skips block texts", () => {
    expect(at("kind: Node\n---\nkind: Pod\nspec:\n  |")).toMatchObject({ kind: "Pod", path: ["spec"] });
    expect(at("data:\n  text: |\n    a: b\n    c: d\n  ke".replace("text: |", "text: >") + "|").path).toEqual(["data"]);
  });

  it("finds the key under the pointer", () => {
    const text = "kind: Pod\nspec:\n  - a: 1\n    tolerations:\n";
    expect(keyAt(text, text.indexOf("toler") + 2)).toMatchObject({ path: ["spec", "[]", "tolerations"], from: text.indexOf("toler") });
    expect(keyAt(text, text.indexOf("Pod"))).toBeNull();
  });
});

describe("a value put in its place", () => {
  const text = "kind: Pod # ours\nspec:\n  containers:\n    - name: a\n      image: one # keep\n    - name: b\n      image: two\n";

  it("leaves comments and all else as it is", () => {
    expect(withScalar(text, ["spec", "containers", "[]", "image"], "three")).toBe(text.replace("one", "three"));
    expect(withScalar(text, ["kind"], "Node")).toBe(text.replace("Pod", "Node"));
  });

  it("is not guessed where there is none on the line", () => {
    expect(withScalar(text, ["spec", "nodeName"], "x")).toBeNull();
    expect(withScalar(text, ["spec", "containers"], "x")).toBeNull();
  });
});
