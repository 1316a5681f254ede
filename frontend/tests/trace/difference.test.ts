import { describe, expect, it } from "vitest";
import type { Changes, WhatIf } from "../../src/api/plans";
import type { NodeItem, PodItem } from "../../src/api/types";
import { differenceOf, overlaid } from "../../src/trace/difference";
import { editsOf, mergePatchOf, pinned, replacing } from "../../src/trace/replacing";

const node = (name: string, more: Partial<NodeItem> = {}): NodeItem => ({ name, labels: {}, taints: [], unschedulable: false, allocatable: { cpu: 4000 }, ...more });
const pod = (name: string, on: string | null): PodItem => ({ namespace: "shop", name, node: on, phase: "Running", priority: 0, requests: {}, owner: "", labels: {} });
const nothing: Changes = { text: "", newly_pending: [], rescued: [], moved: [], new: [], gone: [], refused: [], stopped: "" };
const answer = (changes: Partial<Changes>, more: Partial<WhatIf> = {}): WhatIf => ({ changes: { ...nothing, ...changes }, sentences: [], nodes: [], pods: [], gone_nodes: [], gone_pods: [], revision: "r", ...more });
const base = { nodes: [node("a"), node("b"), node("c")], pods: [pod("web", "a"), pod("db", "b"), pod("waits", null)] };

describe("the difference of a what-if", () => {
  it("says of each node what came and what left", () => {
    const { nodes, came, from, left } = differenceOf(answer({ moved: [{ pod: "shop/web", before: "a", after: "b", instead: "" }], rescued: [{ pod: "shop/waits", node: "b" }] }), base);
    expect([...nodes]).toEqual([
      ["b", { glyph: "came", reason: "+2" }],
      ["a", { glyph: "left", reason: "−1" }],
    ]);
    expect([...came]).toEqual([["shop/web", "moved"], ["shop/waits", "rescued"]]);
    expect(from.get("shop/web")).toBe("a");
    expect(left.get("a")!.map((each) => each.name)).toEqual(["web"]);
  });

  it("knows a pod that was made in place of another by both names", () => {
    const { came, left } = differenceOf(answer({ moved: [{ pod: "shop/db", before: "b", after: "c", instead: "shop/db-2" }] }), base);
    expect(came.get("shop/db-2")).toBe("moved");
    expect(left.get("b")!.map((each) => each.name)).toEqual(["db"]);
  });

  it("tells nodes that are new, lost, cordoned or of another size; not the taints that say so again", () => {
    const lost = node("b", { ready: false, taints: [{ key: "node.kubernetes.io/unreachable", effect: "NoExecute" }] });
    const found = differenceOf(answer({ gone: ["shop/db"] }, { nodes: [node("d"), lost, node("c", { unschedulable: true, allocatable: { cpu: 8000 } })], gone_nodes: ["a"] }), base);
    expect(found.changed).toEqual([
      { node: "d", words: "new" },
      { node: "b", words: "lost" },
      { node: "c", words: "cordoned, other size" },
    ]);
    expect(found.nodes.get("b")).toEqual({ glyph: "changed", reason: "lost, −1" });
    expect(found.gone).toEqual(["a"]);
  });

  it("is laid over the cluster: changed ones in their place, new ones behind, gone ones not at all", () => {
    const shown = overlaid(base, answer({}, { pods: [pod("web", "c"), pod("new", "b")], gone_pods: ["shop/db"], gone_nodes: ["a"] }));
    expect(shown.pods.map((each) => `${each.name} ${each.node}`)).toEqual(["web c", "waits null", "new b"]);
    expect(shown.nodes.map((each) => each.name)).toEqual(["b", "c"]);
  });
});

describe("an object that is to be other", () => {
  const stored = { kind: "Pod", metadata: { name: "web", namespace: "shop", uid: "u1" }, spec: { nodeName: "a", containers: [{ name: "c", image: "one" }], tolerations: [] }, status: { phase: "Running" } };

  it("is patched with what differs, null for what is taken away", () => {
    expect(mergePatchOf({ a: 1, b: { c: 2, d: 3 }, e: [1] }, { a: 1, b: { c: 4 }, e: [1, 2] })).toEqual({ b: { c: 4, d: null }, e: [1, 2] });
    expect(mergePatchOf({ a: { b: [1] } }, { a: { b: [1] } })).toBeUndefined();
  });

  it("is a patch where the API server takes it, else a pod is had anew", () => {
    const labelled = { ...stored, metadata: { ...stored.metadata, labels: { tier: "front" } } };
    expect(editsOf("Pod/shop/web", stored, labelled)).toEqual([{ kind: "mergePatch", object: "Pod/shop/web", patch: { metadata: { labels: { tier: "front" } } } }]);
    const other = { ...stored, spec: { ...stored.spec, priorityClassName: "high" } };
    expect(editsOf("Pod/shop/web", stored, other).map((edit) => edit.kind)).toEqual(["delete", "apply"]);
    expect(editsOf("Pod/shop/web", stored, stored)).toEqual([]);
  });

  it("has neither node nor what identifies the old one, and keeps its other terms when it is pinned", () => {
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: "disk", operator: "Exists" }] }] } } };
    const [gone, again] = replacing(pinned({ ...stored, spec: { ...stored.spec, affinity } }, "b"));
    expect(gone).toEqual({ kind: "delete", object: "Pod/shop/web", graceSeconds: 0 });
    const [written] = again!["objects"] as [{ metadata: unknown; spec: Record<string, unknown> }];
    expect(written.metadata).toEqual({ name: "web", namespace: "shop" });
    expect(written.spec["nodeName"]).toBeUndefined();
    expect(written.spec["affinity"]).toEqual({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "disk", operator: "Exists" }], matchFields: [{ key: "metadata.name", operator: "In", values: ["b"] }] }],
        },
      },
    });
  });
});
