/** Pictures of what the page shows, as SVG that stands alone, and from it as PNG. Loaded when somebody asks for one. */

import { percent, podName } from "../base/format";
import { GLYPHS } from "../base/glyphs";
import type { Glyph, GlyphName } from "../base/glyphs";
import type { CycleDetail } from "../api/types";
import { NOT_LOOKED_AT, PASSES, verdictTable } from "../trace/verdicts";
import type { VerdictTable } from "../trace/verdicts";
import { layoutMap } from "./map_layout";
import type { Palette } from "./map_palette";
import { STEPS } from "./map_palette";
import type { MapScene } from "./map_scene";
import { glyphOfCode } from "../base/glyphs";

const MARGIN = 16;
const TITLE = 34;
const SLICES_FROM = 10;
const NAME_FROM = 60;
const PNG_SCALE = 2;
const SANS = "Inter, system-ui, sans-serif";
const MONO = "ui-monospace, monospace";

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const number = (value: number): string => String(Math.round(value * 100) / 100);

function rect(x: number, y: number, width: number, height: number, fill: string, more = ""): string {
  return `<rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(0, width))}" height="${number(Math.max(0, height))}" fill="${fill}"${more}/>`;
}

function text(x: number, y: number, words: string, fill: string, size: number, family: string, more = ""): string {
  return `<text x="${number(x)}" y="${number(y)}" fill="${fill}" font-size="${size}" font-family="${family}"${more}>${escape(words)}</text>`;
}

function mark(name: GlyphName, x: number, y: number, side: number, color: string): string {
  const shape: Glyph = GLYPHS[name];
  const fill = shape.fill ? `<path d="${shape.fill}" fill="${color}"/>` : "";
  const stroke = shape.stroke ? `<path d="${shape.stroke}" fill="none" stroke="${color}" stroke-width="1.6"/>` : "";
  return `<g transform="translate(${number(x)} ${number(y)}) scale(${number(side / 12)})">${fill}${stroke}</g>`;
}

function frame(width: number, height: number, title: string, palette: Palette, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${escape(title)}</title>${rect(0, 0, width, height, palette.surface)}${text(MARGIN, 24, title, palette.ink, 15, SANS, ' font-weight="600"')}${body}</svg>`;
}

/** The map: nodes in their groups, pods as slices, verdicts as glyphs. */
export function mapSvg(scene: MapScene, palette: Palette, width: number, height: number): string {
  const layout = layoutMap(scene.groups, scene.allocatable, width - 2 * MARGIN, height - TITLE - MARGIN);
  const parts: string[] = [];
  for (const heading of layout.headings) {
    const words = `${heading.group.name || (scene.settings.levels.length ? "no label" : "All nodes")}  ${heading.group.nodes.length}`;
    parts.push(text(MARGIN + heading.x, TITLE + heading.y + heading.height - 5, words, heading.depth ? palette.quiet : palette.ink, heading.depth ? 11 : 12, SANS));
  }
  for (const node of layout.order) {
    const box = { x: MARGIN + layout.x[node]!, y: TITLE + layout.y[node]!, width: layout.w[node]! - 1, height: layout.h[node]! - 1 };
    parts.push(`<g><title>${escape(`${scene.name(node)}: ${scene.usage(node)}`)}</title>${tile(scene, palette, node, box)}</g>`);
  }
  const detail = scene.detail;
  const { store } = scene.run;
  const title = `${scene.settings.resource} requested, cycle ${store.cycle}${detail ? `; verdicts on ${podName(detail.pod)}` : ""}`;
  return frame(width, height, title, palette, parts.join(""));
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function tile(scene: MapScene, palette: Palette, node: number, box: Box): string {
  const verdict = scene.glyphOf(node);
  const color = (verdict && palette.states[verdict]) || palette.quiet;
  if (box.width < SLICES_FROM || box.height < SLICES_FROM) {
    const tone = palette.ramp[Math.round(Math.min(1, scene.share(node)) ** 0.7 * STEPS)]!;
    const dot = Math.max(2, Math.min(box.width, box.height) * 0.45);
    const over = verdict && verdict !== "skipped" ? rect(box.x + (box.width - dot) / 2, box.y + (box.height - dot) / 2, dot, dot, color) : "";
    return rect(box.x, box.y, box.width, box.height, tone) + over;
  }
  const named = box.width >= NAME_FROM && box.height >= 28;
  const bar = named ? { x: box.x + 3, y: box.y + 17, width: box.width - 6, height: box.height - 20 } : box;
  const parts = [rect(box.x, box.y, box.width, box.height, palette.free)];
  if (named) parts.push(rect(bar.x, bar.y, bar.width, bar.height, palette.surface));
  let at = bar.x;
  for (const slice of scene.slices(node)) {
    const width = Math.min(slice.share * bar.width, bar.x + bar.width - at);
    parts.push(rect(at, bar.y, Math.max(0.4, width - (width > 3 ? 0.7 : 0)), bar.height, palette.pod(slice.paint)));
    at += width;
  }
  if (verdict) parts.push(mark(verdict, box.x + 3, box.y + 3, 11, color));
  if (named) {
    const share = scene.allocatable[node] ? ` ${percent(scene.share(node))}` : "";
    const room = Math.floor((box.width - 20) / 6.7);
    const name = scene.shortName(node);
    const words = name.length + share.length > room ? name.slice(-Math.max(3, room)) : name + share;
    parts.push(text(box.x + (verdict ? 17 : 4), box.y + 13, words, palette.ink, 11, MONO));
  }
  return parts.join("");
}

const ROW = 22;
const CELL = 26;
const HEAD = 150;
const NAMES = 250;
const REASONS = 360;

/** The filter matrix of a cycle: a row a node or a group judged alike, a column a plugin that refused any. */
export function matrixSvg(detail: CycleDetail, palette: Palette): string {
  const table = verdictTable(detail, "all");
  const width = MARGIN * 2 + NAMES + table.columns.length * CELL + REASONS;
  const height = TITLE + HEAD + table.rows.length * ROW + MARGIN;
  const parts = table.columns.map((plugin, i) => {
    const x = MARGIN + NAMES + i * CELL + CELL / 2 + 4;
    const y = TITLE + HEAD - 6;
    return text(x, y, plugin, palette.quiet, 11, MONO, ` transform="rotate(-58 ${number(x)} ${number(y)})"`);
  });
  table.rows.forEach((row, i) => parts.push(matrixRow(detail, table, i, row.nodes, palette)));
  const verb = detail.node ? `→ ${detail.node}` : detail.result;
  return frame(width, height, `Cycle ${detail.cycle}: ${podName(detail.pod)} ${verb}`, palette, parts.join(""));
}

function matrixRow(detail: CycleDetail, table: VerdictTable, i: number, nodes: readonly number[], palette: Palette): string {
  const row = table.rows[i]!;
  const y = TITLE + HEAD + i * ROW;
  const name = nodes.length === 1 ? detail.nodes[nodes[0]!]! : `${nodes.length} nodes alike`;
  const parts = [rect(MARGIN, y, MARGIN + NAMES + table.columns.length * CELL + REASONS - MARGIN, 0.6, palette.free)];
  parts.push(mark(row.glyph, MARGIN, y + 5, 12, palette.states[row.glyph] ?? palette.quiet));
  parts.push(text(MARGIN + 18, y + 15, name.slice(-34), palette.ink, 11, MONO));
  row.cells.forEach((cell, column) => {
    const glyph: GlyphName = cell === PASSES ? "fits" : cell === NOT_LOOKED_AT ? "skipped" : glyphOfCode(detail.statuses[cell]?.code);
    parts.push(mark(glyph, MARGIN + NAMES + column * CELL + 7, y + 5, 12, palette.states[glyph] ?? palette.quiet));
  });
  const why = row.status?.reasons.join(", ") ?? (row.total === null ? "" : `score ${row.total}`);
  parts.push(text(MARGIN + NAMES + table.columns.length * CELL + 12, y + 15, why.slice(0, 60), palette.quiet, 11, SANS));
  return parts.join("");
}

/** The same as pixels, twice as many as points. */
export async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * PNG_SCALE;
    canvas.height = image.height * PNG_SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Hands a file to the browser's downloads. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
