/** A repair's sentence in its parts, and how much else changes as a glyph. */

import type { Repair } from "../api/questions";
import type { GlyphName } from "../base/glyphs";

/** What is done, and what comes of it: the sentence says both. */
export function partsOf(text: string, pod: string): { what: string; then: string } {
  const at = text.indexOf(`: ${pod} goes to `);
  return at < 0 ? { what: text, then: "" } : { what: text.slice(0, at), then: `It${text.slice(at + 2 + pod.length)}` };
}

export function glyphOf({ difference }: Pick<Repair, "difference">): GlyphName {
  if (difference.newly_pending.length || difference.gone.length) return "victim";
  return difference.moved.length ? "changed" : "fits";
}
