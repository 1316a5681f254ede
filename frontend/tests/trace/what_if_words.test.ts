import { describe, expect, it } from "vitest";
import type { Changes } from "../../src/api/plans";
import type { PodItem } from "../../src/api/types";
import { placeInWhatIf } from "../../src/trace/what_if_words";

const CHANGES: Changes = {
  text: "",
  newly_pending: [{ pod: "shop/lost", message: "0/1 nodes are available: 1 Insufficient cpu.", plugins: ["NodeResourcesFit"] }],
  rescued: [{ pod: "shop/saved", node: "n2" }],
  moved: [{ pod: "shop/web-1", before: "n1", after: "n2", instead: "shop/web-2" }],
  new: [{ pod: "shop/fresh", node: "n3" }],
  gone: [],
  refused: [],
  stopped: "",
};

function said(name: string, node: string): string {
  return placeInWhatIf(CHANGES, { namespace: "shop", name, node } as PodItem);
}

describe("what a what-if says of a pod", () => {
  it("tells where it goes, or why nowhere", () => {
    expect(said("saved", "n2")).toBe("With these edits it is placed on n2.");
    expect(said("fresh", "n3")).toBe("With these edits it is placed on n3.");
    expect(said("web-2", "n2")).toBe("With these edits it moves from n1 to n2.");
    expect(said("lost", "")).toBe("With these edits it has no node: 0/1 nodes are available: 1 Insufficient cpu.");
  });

  it("tells what stays as it is", () => {
    expect(said("there", "n1")).toBe("It stays on n1.");
    expect(said("waiting", "")).toBe("It stays pending.");
  });
});
