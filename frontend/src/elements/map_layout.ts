/**
 * The map as a treemap that keeps order: groups inside groups, nodes in natural order, every area in proportion to what a
 * node has to give. Laid out in strips (Bederson, Shneiderman, Wattenberg, "Ordered and Quantum Treemaps", 2002).
 */

import type { NodeGroup } from "../trace/hierarchy";

export interface Heading {
  group: NodeGroup;
  x: number;
  y: number;
  width: number;
  height: number;
  depth: number;
}

export interface MapLayout {
  width: number;
  height: number;
  /** Per node; a width of 0 stands for a node that is not on the map. */
  x: Float32Array;
  y: Float32Array;
  w: Float32Array;
  h: Float32Array;
  /** Nodes in the order they are laid out. */
  order: Int32Array;
  headings: Heading[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const HEADINGS = [18, 15, 13];
const PADS = [4, 2, 1];
const BETWEEN = 8;
const LEAST_WIDTH = 34;
const LEAST_HEIGHT = 30;
/** A node with nothing of the resource still has a place. */
const LEAST_SHARE = 0.08;

export function layoutMap(groups: readonly NodeGroup[], allocatable: Float64Array, width: number, height: number): MapLayout {
  const size = allocatable.length;
  const num = groups.reduce((sum, group) => sum + group.nodes.length, 0);
  const layout: MapLayout = {
    width,
    height,
    x: new Float32Array(size),
    y: new Float32Array(size),
    w: new Float32Array(size),
    h: new Float32Array(size),
    order: new Int32Array(num),
    headings: [],
  };
  const largest = allocatable.reduce((most, one) => Math.max(most, one), 0) || 1;
  const weight = (node: number) => Math.max(allocatable[node] ?? 0, largest * LEAST_SHARE);
  const cursor = { at: 0 };
  placeGroups(layout, groups, weight, { x: 0, y: 0, width, height }, 0, cursor);
  return layout;
}

type Weight = (node: number) => number;

function placeGroups(layout: MapLayout, groups: readonly NodeGroup[], weight: Weight, box: Box, depth: number, cursor: { at: number }): void {
  const weights = groups.map((group) => group.nodes.reduce((sum, node) => sum + weight(node), 0));
  strips(weights, box, (index, part) => {
    const gap = depth === 0 && groups.length > 1 ? BETWEEN / 2 : (PADS[depth] ?? 1);
    const inner = inset(part, groups.length > 1 ? gap : 0, box);
    placeGroup(layout, groups[index]!, weight, inner, depth, cursor);
  });
}

function placeGroup(layout: MapLayout, group: NodeGroup, weight: Weight, box: Box, depth: number, cursor: { at: number }): void {
  const heading = HEADINGS[Math.min(depth, HEADINGS.length - 1)]!;
  let inner = box;
  if (box.height > LEAST_HEIGHT && box.width > LEAST_WIDTH) {
    layout.headings.push({ group, x: box.x, y: box.y, width: box.width, height: heading, depth });
    inner = { x: box.x, y: box.y + heading, width: box.width, height: box.height - heading };
  }
  if (group.parts.length) {
    placeGroups(layout, group.parts, weight, inner, depth + 1, cursor);
    return;
  }
  const weights = group.nodes.map(weight);
  strips(weights, inner, (index, part) => {
    const node = group.nodes[index]!;
    layout.x[node] = part.x;
    layout.y[node] = part.y;
    layout.w[node] = part.width;
    layout.h[node] = part.height;
    layout.order[cursor.at] = node;
    cursor.at += 1;
  });
}

/** A box made smaller, but not at the edges of the box around it. */
function inset(part: Box, gap: number, around: Box): Box {
  const left = part.x > around.x + 0.5 ? gap : 0;
  const top = part.y > around.y + 0.5 ? gap : 0;
  const right = part.x + part.width < around.x + around.width - 0.5 ? gap : 0;
  const bottom = part.y + part.height < around.y + around.height - 0.5 ? gap : 0;
  return { x: part.x + left, y: part.y + top, width: Math.max(1, part.width - left - right), height: Math.max(1, part.height - top - bottom) };
}

/** Puts weights into a box in rows of about the same weight, so many that the parts are near to squares. */
function strips(weights: readonly number[], box: Box, place: (index: number, part: Box) => void): void {
  const total = weights.reduce((sum, one) => sum + one, 0);
  if (total <= 0 || box.width <= 0 || box.height <= 0) return;
  const rows = Math.max(1, Math.min(weights.length, Math.round(Math.sqrt((weights.length * box.height) / box.width))));
  let first = 0;
  let before = 0;
  let { y } = box;
  for (let row = 1; row <= rows && first < weights.length; row += 1) {
    let end = first;
    let sum = 0;
    // A part belongs to the row in which its middle lies.
    while (end < weights.length && (end === first || before + sum + weights[end]! / 2 < (row / rows) * total)) {
      sum += weights[end]!;
      end += 1;
    }
    if (row === rows) for (; end < weights.length; end += 1) sum += weights[end]!;
    const height = (sum / total) * box.height;
    let { x } = box;
    for (let i = first; i < end; i += 1) {
      const width = (weights[i]! / sum) * box.width;
      place(i, { x, y, width, height });
      x += width;
    }
    y += height;
    before += sum;
    first = end;
  }
}

/** The node at a point, −1 where there is none. */
export function nodeAt(layout: MapLayout, x: number, y: number): number {
  for (const node of layout.order) {
    const left = layout.x[node]!;
    const top = layout.y[node]!;
    if (x >= left && x < left + layout.w[node]! && y >= top && y < top + layout.h[node]!) return node;
  }
  return -1;
}

const STEPS: Record<string, readonly [number, number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** The nearest node in the direction of an arrow key; the same one where there is none. */
export function neighbour(layout: MapLayout, from: number, key: string): number {
  const step = STEPS[key];
  if (!step) return from;
  if (from < 0) return layout.order[0] ?? -1;
  const centre = (node: number): readonly [number, number] => [layout.x[node]! + layout.w[node]! / 2, layout.y[node]! + layout.h[node]! / 2];
  const [fromX, fromY] = centre(from);
  let best = from;
  let least = Infinity;
  for (const node of layout.order) {
    const [x, y] = centre(node);
    const along = (x - fromX) * step[0] + (y - fromY) * step[1];
    const aside = Math.abs((x - fromX) * step[1]) + Math.abs((y - fromY) * step[0]);
    if (along <= 0.5) continue;
    const distance = along + aside * 3;
    if (distance < least) [best, least] = [node, distance];
  }
  return best;
}
