/** The one table of states: glyph, word and colour, the same wherever a state is shown. */

export interface Glyph {
  /** Outline to fill, in a 12 × 12 box. */
  fill?: string;
  /** Outline to stroke. */
  stroke?: string;
  dash?: string;
  label: string;
}

const RING = "M6 1.9a4.1 4.1 0 1 0 0 8.2a4.1 4.1 0 1 0 0-8.2z";

export const GLYPHS = {
  fits: { fill: "M6 2.3a3.7 3.7 0 1 0 0 7.4a3.7 3.7 0 1 0 0-7.4z", label: "fits" },
  bound: { fill: "M6 2.3a3.7 3.7 0 1 0 0 7.4a3.7 3.7 0 1 0 0-7.4z", label: "bound" },
  chosen: { fill: "M6 .8L11.2 6L6 11.2L.8 6z", label: "chosen" },
  refused: { stroke: "M2.6 2.6L9.4 9.4M9.4 2.6L2.6 9.4", label: "refused" },
  final: { stroke: `${RING}M3.2 3.2L8.8 8.8`, label: "refused for good" },
  skipped: { fill: "M6 5a1 1 0 1 0 0 2a1 1 0 1 0 0-2z", label: "not looked at" },
  active: { fill: "M3 1.8L10 6L3 10.2z", label: "active" },
  backoff: { stroke: RING, fill: "M6 6V2.6A3.4 3.4 0 0 1 9.4 6z", label: "backoff" },
  unschedulable: { fill: "M2.4 2.4h7.2v7.2h-7.2z", label: "unschedulable" },
  gated: { stroke: "M6 1.3L10 2.7V6C10 8.3 8.4 9.9 6 10.8C3.6 9.9 2 8.3 2 6V2.7zM6 4v3.6M4.2 5.8h3.6", label: "gated" },
  assumed: { stroke: RING, dash: "2 1.6", label: "assumed, being bound" },
  flight: { stroke: RING, fill: "M6 4.4a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 1 0 0-3.2z", label: "in a cycle" },
  victim: { stroke: "M7.4 .9L4 5.8H7.6L4.8 11M4.8 11L4.2 8.4M4.8 11L7.2 9.6", label: "victim of preemption" },
  changed: { stroke: "M6 2L10.4 10H1.6z", label: "changed" },
  came: { stroke: "M6 2v8M2 6h8", label: "pods came" },
  left: { stroke: "M2 6h8", label: "pods left" },
  finished: { stroke: "M2.2 6.4L5 9.2L9.8 3.2", label: "finished" },
  lost: { stroke: `${RING}M2.6 9.4L9.4 2.6`, dash: "2 1.6", label: "on a lost node" },
  absent: { stroke: RING, label: "not arrived yet" },
} as const satisfies Record<string, Glyph>;

export type GlyphName = keyof typeof GLYPHS;

/** What a status code of the scheduler is called here. */
export function glyphOfCode(code: string | undefined): GlyphName {
  if (code === undefined) return "fits";
  return code === "UnschedulableAndUnresolvable" ? "final" : "refused";
}
