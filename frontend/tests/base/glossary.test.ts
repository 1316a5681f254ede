import { describe, expect, test } from "vitest";
import { GLOSSARY, addressOf, lookUp } from "../../src/base/glossary";

describe("the glossary", () => {
  test.each(GLOSSARY.map((one) => [one.word, one] as const))("%s is told in two sentences with its place in the documentation", (_word, one) => {
    const sentences = one.text.split(/[.;](?:\s|$)/).filter((part) => part.trim());
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(one.text.split(/\.(?:\s|$)/).filter((part) => part.trim())).toHaveLength(2);
    expect(addressOf(one)).toMatch(/^https:\/\/kubernetes\.io\/docs\/[a-z0-9/-]+\/(#[a-z0-9-]+)?$/);
  });

  test("finds a word however it is written, and says so where it has none", () => {
    expect(lookUp("ACTIVEQ")?.word).toBe("activeQ");
    expect(lookUp("nonsense")).toBeUndefined();
    expect(new Set(GLOSSARY.map((one) => one.word.toLowerCase())).size).toBe(GLOSSARY.length);
  });
});
