import { describe, expect, test } from "vitest";
import { toYaml } from "../../src/base/yaml";

describe("YAML", () => {
  test("is written as people write it", () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-1", labels: { "app.kubernetes.io/name": "web" } },
      spec: { containers: [{ name: "c", args: ["--x=1", "8080"], resources: { requests: { cpu: "500m" } } }], tolerations: [], priority: 7 },
    };
    expect(toYaml(pod)).toBe(
      [
        "apiVersion: v1",
        "kind: Pod",
        "metadata:",
        "  name: web-1",
        "  labels:",
        "    app.kubernetes.io/name: web",
        "spec:",
        "  containers:",
        "  - name: c",
        "    args:",
        '    - "--x=1"',
        '    - "8080"',
        "    resources:",
        "      requests:",
        "        cpu: 500m",
        "  tolerations: []",
        "  priority: 7",
        "",
      ].join("\n"),
    );
  });

  test.each(["true", "No", "1e3", "0x1f", "012", "12:30:00", "", " a", "a: b", "a #b", "null", "~", "- a", "é", "2024-01-01"])("%j stays the text that it is", (text) => {
    expect(toYaml({ a: text })).toBe(`a: ${JSON.stringify(text)}\n`);
  });
});
