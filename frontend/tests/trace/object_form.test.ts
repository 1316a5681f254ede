import { describe, expect, it } from "vitest";
import { formFields, shown, valueOf, withValue } from "../../src/trace/object_form";

const field = (kind: string, label: string) => formFields(kind).find((one) => one.label === label)!;
const pod = {
  metadata: { name: "web", labels: { app: "web" } },
  spec: { containers: [{ name: "main", resources: { requests: { cpu: "500m" } } }, { name: "side" }], tolerations: [{ key: "gpu", operator: "Exists", effect: "NoSchedule" }, { operator: "Exists" }] },
};

describe("the form of an object", () => {
  it("shows what is written", () => {
    expect(shown(pod, field("Pod", "Labels"))).toBe("app=web");
    expect(shown(pod, field("Pod", "cpu"))).toBe("500m");
    expect(shown(pod, field("Pod", "Tolerations"))).toBe("gpu:NoSchedule, *");
    expect(shown(pod, field("Pod", "memory"))).toBe("");
  });

  it("reads taints as kubectl writes them, and tolerations likewise", () => {
    expect(valueOf("gpu=yes:NoExecute, spot", field("Node", "Taints"))).toEqual([{ key: "gpu", value: "yes", effect: "NoExecute" }, { key: "spot", effect: "NoSchedule" }]);
    expect(valueOf("gpu:NoSchedule, *", field("Pod", "Tolerations"))).toEqual([{ key: "gpu", operator: "Exists", effect: "NoSchedule" }, { operator: "Exists" }]);
    expect(valueOf("", field("Pod", "Tolerations"))).toBeUndefined();
  });

  it("puts a value back without touching what stands beside it", () => {
    const next = withValue(pod, field("Pod", "memory").path, "1Gi") as typeof pod;
    expect(next.spec.containers[0]).toEqual({ name: "main", resources: { requests: { cpu: "500m", memory: "1Gi" } } });
    expect(next.spec.containers[1]).toBe(pod.spec.containers[1]);
    expect(pod.spec.containers[0]!.resources!.requests).toEqual({ cpu: "500m" });
  });

  it("takes emptied parents away", () => {
    expect(withValue(pod, field("Pod", "cpu").path, undefined)).toMatchObject({ spec: { containers: [{ name: "main" }, { name: "side" }] } });
    expect((withValue(pod, ["metadata", "labels"], {}) as typeof pod).metadata).toEqual({ name: "web" });
  });

  it("is there for pods, workloads and nodes only", () => {
    expect(field("Deployment", "cpu").path).toEqual(["spec", "template", "spec", "containers", "[]", "resources", "requests", "cpu"]);
    expect(formFields("ConfigMap")).toEqual([]);
  });
});
