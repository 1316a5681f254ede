import { expect, test } from "vitest";
import { RateMeter } from "../../src/base/rate";

test("the rate is what came within the last second", () => {
  const rate = new RateMeter();
  rate.add(15, 0);
  rate.add(6, 900);
  expect(rate.perSecond(900)).toBe(21);
  expect(rate.perSecond(1001)).toBe(6);
  expect(rate.perSecond(1901)).toBe(0);
});
