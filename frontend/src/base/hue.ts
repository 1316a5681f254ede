/** Hues by hash: the same word has the same colour on every page and in every run. */

const memo = new Map<string, number>();

/** A hue in degrees, one of 18 steps, so that two different ones are told apart. */
export function hueOf(word: string): number {
  const known = memo.get(word);
  if (known !== undefined) return known;
  let hash = 2166136261;
  for (let i = 0; i < word.length; i += 1) {
    hash ^= word.charCodeAt(i);
    hash = Math.imul(hash, 16777619);
  }
  const hue = (((hash >>> 0) % 18) * 20 + 10) % 360;
  memo.set(word, hue);
  return hue;
}
