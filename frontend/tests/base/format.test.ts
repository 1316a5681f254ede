import { describe, expect, test } from "vitest";
import { bytes, count, counted, cpu, exact, left, list, percent, podName, quantity, reasonOf, time } from "../../src/base/format";

describe("quantities as people write them", () => {
  test.each([
    [0, "0"],
    [250, "250m"],
    [999, "999m"],
    [1000, "1"],
    [1500, "1.5"],
    [31_500, "31.5"],
    [128_000, "128"],
    [2_500_000, "2,500"],
    [-120, "-120m"],
  ])("%d thousandths of a CPU are %s", (milli, text) => expect(cpu(milli)).toBe(text));

  test.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1 KiB"],
    [1_610_612_736, "1.5 GiB"],
    [31_509_098_496, "29.3 GiB"],
    [1_099_511_627_776, "1 TiB"],
  ])("%d bytes are %s", (value, text) => expect(bytes(value)).toBe(text));

  test("a resource has the unit people use for it", () => {
    expect(quantity("cpu", 380)).toBe("380m");
    expect(quantity("hugepages-2Mi", 2 ** 21)).toBe("2 MiB");
    expect(quantity("nvidia.com/gpu", 4)).toBe("4");
  });

  test("the exact value keeps every digit", () => {
    expect(exact("memory", 31_509_098_496)).toBe("31,509,098,496 bytes");
    expect(exact("cpu", 12_345)).toBe("12,345m");
  });
});

describe("times and counts", () => {
  test("times are relative to the run's start", () => {
    expect(time(4_310_000)).toBe("4.310 s");
    expect(time(64_300_000)).toBe("1 min 4.3 s");
    expect(time(7_260_000_000)).toBe("2 h 1 min");
    expect(left(3_210_000)).toBe("3.2 s");
    expect(left(-5)).toBe("0.0 s");
  });

  test("counts are grouped and their nouns agree", () => {
    expect(count(12_000)).toBe("12,000");
    expect(counted(1, "node")).toBe("1 node");
    expect(counted(2000, "pod")).toBe("2,000 pods");
  });

  test("a share is never nothing for something, nor all for less", () => {
    expect(percent(0.001)).toBe("<1%");
    expect(percent(0.999)).toBe("99%");
    expect(percent(0)).toBe("0%");
    expect(percent(1)).toBe("100%");
  });
});

describe("words", () => {
  test("the default namespace goes without saying", () => {
    expect(podName("default/api-7")).toBe("api-7");
    expect(podName("team-a/api-7")).toBe("team-a/api-7");
  });

  test("a reason is the middle of the message, those of most nodes first", () => {
    const message =
      "0/9 nodes are available: 1 node(s) had untolerated taint {a: }, 1 node(s) were unschedulable, 7 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/9 nodes are available: 9 Preemption is not helpful for scheduling.";
    expect(reasonOf(message)).toBe(
      "7 node(s) didn't have free ports for the requested pod ports, 1 node(s) had untolerated taint {a: }, 1 node(s) were unschedulable",
    );
    expect(reasonOf("0/3 nodes are available: 3 Insufficient cpu.")).toBe("3 Insufficient cpu");
    expect(reasonOf('running PreBind plugin "X": boom')).toBe('running PreBind plugin "X": boom');
  });

  test("a list reads as a sentence", () => {
    expect(list([])).toBe("");
    expect(list(["a"])).toBe("a");
    expect(list(["a", "b", "c"])).toBe("a, b and c");
  });
});
