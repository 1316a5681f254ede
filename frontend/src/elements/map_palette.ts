/** The tokens' colours as a canvas or a picture needs them: resolved, and read anew when the theme changes. */

import type { GlyphName } from "../base/glyphs";
import type { Paint } from "./map_scene";

export interface Palette {
  ramp: string[];
  ink: string;
  quiet: string;
  line: string;
  surface: string;
  free: string;
  chosen: string;
  stranded: string;
  lost: string;
  /** From free room that can be used to free room that cannot. */
  strandedRamp: string[];
  states: Partial<Record<GlyphName, string>>;
  washes: Partial<Record<GlyphName, string>>;
  font: string;
  mono: string;
  pod: (paint: Paint) => string;
}

/** Tones between an empty and a full node. */
export const STEPS = 16;

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const resolve = resolver(element);
  const color = (name: string) => resolve(`var(${name})`);
  const between = (full: string, empty: string) =>
    Array.from({ length: STEPS + 1 }, (_, i) => resolve(`color-mix(in oklab, var(${full}) ${Math.round((i / STEPS) * 100)}%, var(${empty}))`));
  const pods = new Map<string, string>();
  return {
    ramp: between("--heat-full", "--heat-empty"),
    strandedRamp: between("--stranded", "--free"),
    ink: color("--ink"),
    quiet: color("--ink-3"),
    line: color("--line-strong"),
    surface: color("--surface"),
    free: color("--free"),
    chosen: color("--chosen"),
    stranded: color("--stranded"),
    lost: color("--refused"),
    states: { fits: color("--fits"), chosen: color("--chosen"), refused: color("--refused"), final: color("--final"), skipped: color("--ink-3"), victim: color("--victim"), assumed: color("--assumed"), changed: color("--changed"), came: color("--fits"), left: color("--victim") },
    washes: {
      fits: resolve("color-mix(in oklab, var(--fits) 45%, var(--surface))"),
      chosen: color("--chosen"),
      refused: resolve("color-mix(in oklab, var(--refused) 42%, var(--surface))"),
      final: resolve("color-mix(in oklab, var(--final) 42%, var(--surface))"),
      skipped: color("--free"),
    },
    font: token("--sans") || "sans-serif",
    mono: token("--mono") || "monospace",
    pod: (paint) => {
      const key = `${paint.hue} ${paint.chroma}`;
      const known = pods.get(key);
      if (known) return known;
      const made = resolve(`oklch(var(--pod-l) calc(var(--pod-c) * ${paint.chroma}) ${paint.hue})`);
      pods.set(key, made);
      return made;
    },
  };
}

export function resolver(element: Element): (expression: string) => string {
  return (expression) => {
    const probe = document.createElement("i");
    probe.style.color = expression;
    probe.hidden = true;
    element.append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    return color;
  };
}
