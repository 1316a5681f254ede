/**
 * The map on a canvas: tiles whose tone says how full a node is, pods as slices where there is room for them, the verdict as
 * colour and glyph. A tile is drawn again only when what it shows has changed.
 */

import { GLYPHS } from "../base/glyphs";
import type { Glyph, GlyphName } from "../base/glyphs";
import { percent } from "../base/format";
import type { MapLayout } from "./map_layout";
import type { Palette } from "./map_palette";
import { STEPS } from "./map_palette";
import type { MapScene, Slice } from "./map_scene";

/** From this size on a tile shows its pods; from this one its name. */
const SLICES_FROM = 14;
const GLYPH_FROM = 11;
const NAME_FROM = 64;
const NAME_HEIGHT = 26;
const FADED = 0.16;

/** The part of the layout that is seen. */
export interface Port {
  left: number;
  top: number;
  width: number;
  height: number;
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

export class MapPainter {
  private keys = new Float64Array(0);
  private drawn: unknown[] = [];
  private alpha = 1;

  constructor(
    readonly context: CanvasRenderingContext2D,
    private readonly scene: MapScene,
    private readonly layout: MapLayout,
    private readonly palette: Palette,
    private readonly port: Port,
  ) {}

  /** A painter for the next moment that knows what the last one drew. */
  next(scene: MapScene, layout: MapLayout, palette: Palette, port: Port): MapPainter {
    const painter = new MapPainter(this.context, scene, layout, palette, port);
    painter.keys = this.keys;
    painter.drawn = this.drawn;
    return painter;
  }

  /** Draws what has changed; everything where the picture is another one. */
  paint(): void {
    const { scene, layout, palette, port, context } = this;
    const whole = [layout, palette, port.left, port.top, port.width, port.height, scene.settings.colour];
    const fresh = whole.some((one, i) => one !== this.drawn[i]);
    this.drawn = whole;
    if (fresh || this.keys.length !== layout.w.length) this.keys = new Float64Array(layout.w.length).fill(NaN);
    context.textBaseline = "alphabetic";
    if (fresh) {
      context.clearRect(0, 0, port.width, port.height);
      this.headings();
    }
    for (const node of layout.order) this.tile(node, fresh);
    context.globalAlpha = 1;
  }

  private headings(): void {
    const { context, palette, port } = this;
    for (const heading of this.layout.headings) {
      const x = heading.x - port.left;
      const y = heading.y - port.top;
      if (x > port.width || y > port.height || x + heading.width < 0 || y + heading.height < 0) continue;
      context.font = heading.depth === 0 ? `500 12px ${palette.font}` : `11px ${palette.font}`;
      context.fillStyle = heading.depth === 0 ? palette.ink : palette.quiet;
      context.fillText(headingText(context, heading.group.name || "no label", heading.group.nodes.length, heading.width), Math.max(x, 0), y + heading.height - 5);
    }
  }

  private tile(node: number, fresh: boolean): void {
    const { layout, port, context } = this;
    const x = layout.x[node]! - port.left;
    const y = layout.y[node]! - port.top;
    const width = layout.w[node]!;
    const height = layout.h[node]!;
    if (x > port.width || y > port.height || x + width < 0 || y + height < 0) return;
    const detailed = width >= SLICES_FROM && height >= SLICES_FROM;
    const key = this.keyOf(node, detailed);
    if (this.keys[node] === key) return;
    this.keys[node] = key;
    const gap = width > 4 && height > 4 ? 1 : 0.4;
    const alpha = this.scene.matches[node] ? 1 : FADED;
    // What is opaque covers what was there before: it need not be cleared.
    if (!fresh && alpha < 1) context.clearRect(x, y, width, height);
    if (alpha !== this.alpha) context.globalAlpha = alpha;
    this.alpha = alpha;
    const box: Box = { x, y, width: width - gap, height: height - gap };
    if (detailed) this.detailed(node, box);
    else this.plain(node, box);
    if (this.scene.isPicked(node)) this.picked(box);
  }

  /** A frame inside of a tile that is one of several selected. */
  private picked(box: Box): void {
    const { context, palette } = this;
    context.strokeStyle = palette.chosen;
    context.lineWidth = Math.min(2, box.width / 4);
    const inset = context.lineWidth / 2;
    context.strokeRect(box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset);
  }

  /** A number that is another one when the tile looks different. */
  private keyOf(node: number, detailed: boolean): number {
    const { scene } = this;
    const glyph = scene.glyphOf(node);
    const marks = ((glyph ? ORDER.indexOf(glyph) + 1 : 0) * 2 + scene.matches[node]!) * 4 + Number(scene.isPicked(node)) * 2 + Number(scene.model.isLost(node));
    const selected = scene.run.pod === null ? 0 : scene.run.store.words.pods.find(scene.run.pod) + 1;
    if (!detailed && scene.settings.colour === "load") return this.step(node) * 128 + marks;
    const stranded = scene.settings.colour === "stranded" ? scene.measure + 2 : 0;
    let key = scene.load.print[node]!;
    for (const part of [marks, detailed ? selected : 0, stranded]) key = (Math.imul(key, 31) + part) | 0;
    return key;
  }

  private step(node: number): number {
    return Math.round(Math.min(1, this.scene.share(node)) ** 0.7 * STEPS);
  }

  /** A tile too small for its pods: one tone. */
  private plain(node: number, box: Box): void {
    const { context, palette, scene } = this;
    context.fillStyle = this.tone(node);
    context.fillRect(box.x, box.y, box.width, box.height);
    if (scene.model.isLost(node)) this.hatch(box, palette.lost);
    const verdict = scene.glyphOf(node);
    if (verdict && scene.settings.colour !== "verdict") drawVerdict(context, box, verdict, palette);
  }

  private tone(node: number): string {
    const { palette, scene } = this;
    const { colour } = scene.settings;
    if (colour === "verdict") return palette.washes[scene.glyphOf(node) ?? "skipped"] ?? palette.free;
    if (colour === "stranded") {
      const room = scene.roomLeft;
      const share = room && scene.allocatable[node] ? room.stranded[node]! / scene.allocatable[node]! : 0;
      return palette.strandedRamp[Math.round(Math.min(1, share * 2) * STEPS)]!;
    }
    if (scene.model.isLost(node)) return palette.free;
    if (colour === "load") return palette.ramp[this.step(node)]!;
    const largest = scene.slices(node).reduce<Slice | null>((most, slice) => (most && most.share >= slice.share ? most : slice), null);
    return largest ? palette.pod(largest.paint) : palette.free;
  }

  /** A tile with its pods side by side, in proportion, and its name where that fits. */
  private detailed(node: number, box: Box): void {
    const { context, palette, scene } = this;
    const { colour } = scene.settings;
    const verdict = scene.glyphOf(node);
    context.fillStyle = colour === "verdict" ? this.tone(node) : palette.free;
    context.fillRect(box.x, box.y, box.width, box.height);
    const named = box.width >= NAME_FROM && box.height >= NAME_HEIGHT;
    const bar: Box = named ? { x: box.x + 3, y: box.y + 16, width: box.width - 6, height: box.height - 19 } : box;
    if (named) {
      context.fillStyle = palette.surface;
      context.fillRect(bar.x, bar.y, bar.width, bar.height);
    }
    if (colour === "load") {
      context.fillStyle = this.tone(node);
      context.fillRect(bar.x, bar.y, bar.width * Math.min(1, scene.share(node)), bar.height);
    } else this.slices(node, bar);
    this.strandedPart(node, bar);
    if (scene.model.isLost(node)) this.hatch(bar, palette.lost);
    if (named) this.name(node, box, verdict);
    else if (verdict) drawVerdict(context, box, verdict, palette);
  }

  private slices(node: number, bar: Box): void {
    const { context, palette, scene } = this;
    const mine = scene.run.pod;
    let at = bar.x;
    for (const slice of scene.slices(node)) {
      const width = Math.min(slice.share * bar.width, bar.x + bar.width - at);
      if (width <= 0) break;
      const selected = mine !== null && scene.run.store.words.pods.name(slice.pod) === mine;
      context.fillStyle = selected ? palette.chosen : palette.pod(slice.paint);
      context.fillRect(at, bar.y, Math.max(0.5, width - (width > 3 ? 0.7 : 0)), bar.height);
      if (scene.run.desk && scene.cameBy(scene.run.store.words.pods.name(slice.pod))) {
        context.fillStyle = palette.states.came ?? palette.ink;
        context.fillRect(at, bar.y + bar.height - Math.min(3, bar.height), width, Math.min(3, bar.height));
      }
      if (slice.state === -1 && palette.states.victim) {
        context.fillStyle = palette.states.victim;
        context.fillRect(at, bar.y, width, Math.min(3, bar.height));
      }
      at += width;
    }
  }

  /** What is free but of no use to the pod looked at: hatched at the end of the bar. */
  private strandedPart(node: number, bar: Box): void {
    const { palette, scene } = this;
    if (scene.settings.colour !== "stranded") return;
    const room = scene.roomLeft;
    const all = scene.allocatable[node] ?? 0;
    if (!room || !all) return;
    const width = Math.min(1, room.stranded[node]! / all) * bar.width;
    if (width >= 1.5) this.hatch({ x: bar.x + bar.width - width, y: bar.y, width, height: bar.height }, palette.stranded);
  }

  private hatch(box: Box, color: string): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    context.strokeStyle = color;
    context.lineWidth = 1.2;
    context.beginPath();
    for (let x = box.x - box.height; x < box.x + box.width; x += 4) {
      context.moveTo(x, box.y + box.height);
      context.lineTo(x + box.height, box.y);
    }
    context.stroke();
    context.restore();
  }

  private name(node: number, box: Box, verdict: GlyphName | undefined): void {
    const { context, palette, scene } = this;
    let left = box.x + 4;
    if (verdict) {
      drawVerdict(context, { x: left - 1, y: box.y + 2, width: 12, height: 12 }, verdict, palette);
      left += 14;
    }
    context.font = `11px ${palette.mono}`;
    context.fillStyle = palette.ink;
    const share = scene.allocatable[node] ? percent(scene.share(node)) : "";
    const room = box.x + box.width - 4 - left;
    const aside = room > 96 ? context.measureText(share).width : 0;
    context.fillText(drawnText(context, scene.shortName(node), room - (aside ? aside + 8 : 0)), left, box.y + 12);
    if (!aside) return;
    context.fillStyle = palette.quiet;
    context.fillText(share, box.x + box.width - 4 - aside, box.y + 12);
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const ORDER: readonly GlyphName[] = ["chosen", "fits", "refused", "final", "skipped", "changed", "came", "left"];

/** The end of a name tells it from others: its middle gives way. */
export function drawnText(context: CanvasRenderingContext2D, name: string, width: number): string {
  if (context.measureText(name).width <= width) return name;
  for (let keep = name.length - 1; keep > 3; keep -= 1) {
    const tail = Math.ceil(keep / 2);
    const text = `${name.slice(0, keep - tail)}…${name.slice(-tail)}`;
    if (context.measureText(text).width <= width) return text;
  }
  return name.slice(-3);
}

function headingText(context: CanvasRenderingContext2D, name: string, nodes: number, width: number): string {
  const whole = `${name}  ${nodes}`;
  return context.measureText(whole).width <= width ? whole : drawnText(context, name, width);
}

function drawVerdict(context: CanvasRenderingContext2D, box: Box, verdict: GlyphName, palette: Palette): void {
  const color = palette.states[verdict] ?? palette.quiet;
  const size = Math.min(box.width, box.height);
  if (size < GLYPH_FROM) {
    if (verdict === "skipped") return;
    smallVerdict(context, box, verdict, color);
    return;
  }
  const { fill, stroke } = pathsOf(verdict);
  const side = Math.min(14, size - 1);
  context.save();
  context.translate(box.x + (box.width - side) / 2, box.y + (box.height - side) / 2);
  context.scale(side / 12, side / 12);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 1.7;
  if (fill) context.fill(fill);
  if (stroke) context.stroke(stroke);
  context.restore();
}

/** Where there is no room for a glyph, its nearest likeness: a full tile, a dot, a stroke across, a bar. Never colour alone. */
function smallVerdict(context: CanvasRenderingContext2D, box: Box, verdict: GlyphName, color: string): void {
  const size = Math.min(box.width, box.height);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  context.fillStyle = color;
  if (verdict === "chosen") context.fillRect(x - size / 2, y - size / 2, size, size);
  else if (verdict === "changed") context.fillRect(x - size * 0.35, y - size * 0.35, size * 0.7, size * 0.7);
  else if (verdict === "left") context.fillRect(x - size * 0.4, y - Math.max(0.75, size * 0.16), size * 0.8, Math.max(1.5, size * 0.32));
  else if (verdict === "came") {
    context.fillRect(x - size * 0.4, y - Math.max(0.75, size * 0.13), size * 0.8, Math.max(1.5, size * 0.26));
    context.fillRect(x - Math.max(0.75, size * 0.13), y - size * 0.4, Math.max(1.5, size * 0.26), size * 0.8);
  } else if (verdict === "final") context.fillRect(x - size * 0.4, y - Math.max(0.75, size * 0.12), size * 0.8, Math.max(1.5, size * 0.24));
  else if (verdict === "refused") {
    context.strokeStyle = color;
    context.lineWidth = Math.max(1.2, size * 0.18);
    context.beginPath();
    context.moveTo(x - size * 0.32, y - size * 0.32);
    context.lineTo(x + size * 0.32, y + size * 0.32);
    context.stroke();
  } else context.fillRect(x - size * 0.22, y - size * 0.22, Math.max(2, size * 0.44), Math.max(2, size * 0.44));
}
