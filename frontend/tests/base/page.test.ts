import { describe, expect, test } from "vitest";
import { queryOf, readAddress } from "../../src/base/address";
import { hueOf } from "../../src/base/hue";
import { KeyMap, keyName } from "../../src/base/keys";
import { RateMeter } from "../../src/base/rate";
import { windowOf } from "../../src/base/windowed";

describe("the address", () => {
  test("says what is looked at, and back", () => {
    const address = { cycle: 42, at: null, stop: null, pod: "default/api-7", node: null, view: { by: "zone,rack", break: "rejects:NodeResourcesFit" } };
    const query = queryOf(address, "?keep=1&node=old&size=memory");
    expect(query).toBe("?keep=1&cycle=42&pod=default/api-7&by=zone,rack&break=rejects:NodeResourcesFit");
    expect(readAddress(query)).toEqual(address);
  });

  test("what is no number is not taken for one", () => {
    expect(readAddress("?cycle=1e9&at=-3")).toEqual({ cycle: null, at: null, stop: null, pod: null, node: null, view: {} });
  });
});

describe("the keyboard", () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
    keyName({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

  test("keys have the names that bindings use", () => {
    expect(press(" ")).toBe("space");
    expect(press("ArrowLeft", { shiftKey: true })).toBe("shift+left");
    expect(press("?", { shiftKey: true })).toBe("?");
    expect(press("k", { metaKey: true })).toBe("ctrl+k");
  });

  test("two keys in a row are one binding, unless too slow", () => {
    const map = new KeyMap();
    const went: string[] = [];
    map.add({ keys: "g m", label: "", group: "", run: () => went.push("map") });
    expect(map.press("g", 0)).toBe(false);
    expect(map.press("m", 500)).toBe(true);
    map.press("g", 1000);
    expect(map.press("m", 9000)).toBe(false);
    expect(went).toEqual(["map"]);
  });

  test("what was added can be taken away", () => {
    const map = new KeyMap();
    map.add({ keys: "x", label: "", group: "", run: () => undefined })();
    expect(map.bindings).toEqual([]);
  });
});

describe("small tools", () => {
  test("only the rows on the screen are drawn", () => {
    expect(windowOf(1000, 20, 2000, 400, 5)).toEqual({ first: 95, last: 125, before: 1900, after: 17_500 });
    expect(windowOf(3, 20, 0, 400)).toEqual({ first: 0, last: 3, before: 0, after: 0 });
    expect(windowOf(0, 20, 0, 400)).toEqual({ first: 0, last: 0, before: 0, after: 0 });
  });

  test("the rate counts the last second", () => {
    const rate = new RateMeter();
    rate.add(500, 0);
    rate.add(30, 900);
    expect(rate.perSecond(900)).toBe(530);
    expect(rate.perSecond(1500)).toBe(30);
    expect(rate.perSecond(5000)).toBe(0);
  });

  test("a word has one hue", () => {
    expect(hueOf("kube-system")).toBe(hueOf("kube-system"));
    expect(hueOf("a")).not.toBe(hueOf("b"));
  });
});
