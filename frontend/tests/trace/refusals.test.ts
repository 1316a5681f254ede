import { expect, test } from "vitest";
import type { NodeAnswer } from "../../src/api/detail";
import { sameRefusals } from "../../src/trace/refusals";

const said = (cycle: number, pod: string, text: string) =>
  ({ cycle, pod, verdict: "refused", refusals: [{ plugin: "NodePorts", code: "", reasons: [], text }] }) as unknown as NodeAnswer;

test("what a node says of several pods, or of one attempt after attempt, is told once with its pods and cycles", () => {
  const found = sameRefusals([said(9, "a/x", "port 80"), said(8, "a/y", "port 80"), said(5, "a/x", "port 80"), said(2, "a/x", "port 443")]);
  expect(found).toEqual([
    {
      verdict: "refused",
      parts: [{ plugin: "NodePorts", text: "port 80" }],
      pods: [
        { pod: "a/x", cycles: [9, 5] },
        { pod: "a/y", cycles: [8] },
      ],
    },
    { verdict: "refused", parts: [{ plugin: "NodePorts", text: "port 443" }], pods: [{ pod: "a/x", cycles: [2] }] },
  ]);
});
