/** Thousands of nodes as tiles on a canvas: how full each is by its tone, the verdict by colour and glyph. */

import { GLYPHS } from "../base/glyphs";
import type { Glyph, GlyphName } from "../base/glyphs";
import type { MapScene } from "./map_scene";

const GAP = 1;
const HEADING = 20;
const BETWEEN = 10;
const SMALLEST = 5;
const LARGEST = 26;
const GLYPH_FROM = 11;

export interface Tile {
  node: number;
  x: number;
  y: number;
}

export interface HeatLayout {
  size: number;
  height: number;
  tiles: Tile[];
  headings: { text: string; y: number }[];
  /** Place in `tiles` by node. */
  at: Map<number, number>;
}

function heightWith(size: number, width: number, groups: readonly { nodes: number[] }[]): number {
  const columns = Math.max(1, Math.floor(width / (size + GAP)));
  return groups.reduce((sum, group) => sum + HEADING + Math.ceil(group.nodes.length / columns) * (size + GAP) + BETWEEN, 0);
}

/** The largest tiles with which all nodes fit the place; the smallest where none do. */
export function layoutHeat(scene: MapScene, width: number, height: number): HeatLayout {
  let size = LARGEST;
  while (size > SMALLEST && heightWith(size, width, scene.groups) > height) size -= 1;
  const columns = Math.max(1, Math.floor(width / (size + GAP)));
  const layout: HeatLayout = { size, height: 0, tiles: [], headings: [], at: new Map() };
  let y = 0;
  for (const group of scene.groups) {
    layout.headings.push({ text: `${group.name || "no label"} · ${group.nodes.length}`, y });
    y += HEADING;
    group.nodes.forEach((node, i) => {
      layout.at.set(node, layout.tiles.length);
      layout.tiles.push({ node, x: (i % columns) * (size + GAP), y: y + Math.floor(i / columns) * (size + GAP) });
    });
    y += Math.ceil(group.nodes.length / columns) * (size + GAP) + BETWEEN;
  }
  layout.height = y;
  return layout;
}

export function tileAt(layout: HeatLayout, x: number, y: number): Tile | null {
  const { size } = layout;
  return layout.tiles.find((tile) => x >= tile.x && x < tile.x + size + GAP && y >= tile.y && y < tile.y + size + GAP) ?? null;
}

interface Palette {
  ramp: string[];
  ink: string;
  quiet: string;
  chosen: string;
  states: Partial<Record<GlyphName, string>>;
  font: string;
}

const STEPS = 16;

/** Colours of the tokens as the canvas needs them; read anew when the theme changes. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const probe = (name: string) => style.getPropertyValue(name).trim();
  const ramp = Array.from({ length: STEPS + 1 }, (_, i) => {
    const share = Math.round((i / STEPS) * 100);
    return resolve(element, `color-mix(in oklab, var(--heat-full) ${share}%, var(--heat-empty))`);
  });
  const color = (name: string) => resolve(element, `var(${name})`);
  return {
    ramp,
    ink: color("--ink"),
    quiet: color("--ink-3"),
    chosen: color("--chosen"),
    states: { fits: color("--fits"), chosen: color("--chosen"), refused: color("--refused"), final: color("--final"), skipped: color("--ink-3") },
    font: `12px ${probe("--sans") || "sans-serif"}`,
  };
}

function resolve(element: Element, expression: string): string {
  const probe = document.createElement("i");
  probe.style.color = expression;
  probe.hidden = true;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

const paths = new Map<GlyphName, { fill: Path2D | null; stroke: Path2D | null }>();

function pathsOf(name: GlyphName): { fill: Path2D | null; stroke: Path2D | null } {
  const known = paths.get(name);
  if (known) return known;
  const shape: Glyph = GLYPHS[name];
  const made = { fill: shape.fill ? new Path2D(shape.fill) : null, stroke: shape.stroke ? new Path2D(shape.stroke) : null };
  paths.set(name, made);
  return made;
}

export function drawHeat(canvas: HTMLCanvasElement, scene: MapScene, layout: HeatLayout, palette: Palette, cursor: number): void {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(layout.height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(layout.height * ratio);
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, layout.height);
  context.font = palette.font;
  context.fillStyle = palette.quiet;
  for (const heading of layout.headings) context.fillText(heading.text, 0, heading.y + 13);
  const painted = scene.verdicts.length > 0;
  for (const tile of layout.tiles) {
    const verdict = scene.verdicts[tile.node]?.glyph;
    context.globalAlpha = alphaOf(scene, tile.node, painted ? verdict : undefined);
    context.fillStyle = palette.ramp[Math.round(Math.min(1, scene.load(tile.node)) ** 0.7 * STEPS)]!;
    context.fillRect(tile.x, tile.y, layout.size, layout.size);
    if (verdict) drawVerdict(context, tile, layout.size, verdict, palette);
  }
  context.globalAlpha = 1;
  outline(context, layout, scene, palette, cursor);
}

function alphaOf(scene: MapScene, node: number, verdict: GlyphName | undefined): number {
  if (!scene.matches(node)) return 0.15;
  return verdict === "skipped" ? 0.6 : 1;
}

function drawVerdict(context: CanvasRenderingContext2D, tile: Tile, size: number, verdict: GlyphName, palette: Palette): void {
  const color = palette.states[verdict] ?? palette.quiet;
  if (size < GLYPH_FROM) {
    if (verdict === "skipped") return;
    context.fillStyle = color;
    const dot = verdict === "chosen" ? size : Math.max(2, size * 0.45);
    context.fillRect(tile.x + (size - dot) / 2, tile.y + (size - dot) / 2, dot, dot);
    return;
  }
  const { fill, stroke } = pathsOf(verdict);
  const scale = (size - 2) / 12;
  context.save();
  context.translate(tile.x + 1, tile.y + 1);
  context.scale(scale, scale);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 1.7;
  if (fill) context.fill(fill);
  if (stroke) context.stroke(stroke);
  context.restore();
}

function outline(context: CanvasRenderingContext2D, layout: HeatLayout, scene: MapScene, palette: Palette, cursor: number): void {
  const ring = (node: number, color: string) => {
    const tile = layout.tiles[layout.at.get(node) ?? -1];
    if (!tile) return;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(tile.x - 1, tile.y - 1, layout.size + 2, layout.size + 2);
  };
  if (scene.run.node) ring(scene.run.store.words.nodes.find(scene.run.node), palette.chosen);
  if (cursor >= 0) ring(cursor, palette.ink);
}
