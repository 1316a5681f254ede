import { expect, test } from "vitest";
import type { PodItem } from "../../src/api/types";
import { groupsOf, ownerOf } from "../../src/trace/waiting_groups";

const web = "Deployment/default/web";

test("pods of one owner that wait for one reason are one group, the largest first", () => {
  const groups = groupsOf([
    { pod: "default/alone", owner: "", reason: "2 Insufficient cpu" },
    { pod: "default/web-1", owner: web, reason: "2 Insufficient cpu" },
    { pod: "default/web-2", owner: web, reason: "2 Insufficient memory" },
    { pod: "default/web-3", owner: web, reason: "2 Insufficient cpu" },
    { pod: "default/lonely", owner: "", reason: "2 Insufficient cpu" },
  ]);
  expect(groups.map(({ owner, reason, pods }) => [owner, reason, pods])).toEqual([
    [web, "2 Insufficient cpu", ["default/web-1", "default/web-3"]],
    ["", "2 Insufficient cpu", ["default/alone"]],
    [web, "2 Insufficient memory", ["default/web-2"]],
    ["", "2 Insufficient cpu", ["default/lonely"]],
  ]);
});

test("a pod is grouped by its workload, its owner, else its name without the number at its end", () => {
  const pod = (name: string, owner = "", labels = {}) => ownerOf({ namespace: "shop", name, owner, labels } as unknown as PodItem);
  expect(pod("web-5d-x", "ReplicaSet/web-5d", { "pod-template-hash": "5d" })).toBe("Deployment/shop/web");
  expect(pod("report-x", "Job/report")).toBe("Job/shop/report");
  expect(pod("batch-00012")).toBe("Pod/shop/batch-*");
  expect(pod("metrics")).toBe("");
});
