/** What the answers of planning are drawn from: shares over pods placed, pods pending over nodes added. */

import type { Capacity, Growth } from "../api/questions";

export type Point = readonly [x: number, y: number];

export interface Curve {
  name: string;
  points: Point[];
}

const RESOURCES = 3;

/** Shares between 0 and 1 over the pods placed: what the scarcest resources have in use, and on how many nodes one more fits. */
export function shares(found: Capacity): Curve[] {
  const named = Object.keys(found.allocatable).filter((name) => found.allocatable[name]! > 0 && changes(found, name));
  const last = found.curve.at(-1);
  const use = (name: string) => (last?.requested[name] ?? 0) / found.allocatable[name]!;
  const scarcest = named.sort((a, b) => use(b) - use(a)).slice(0, RESOURCES);
  return [
    { name: "nodes that fit", points: found.curve.map((point) => [point.pods, point.evaluated ? point.feasible / point.evaluated : 0]) },
    ...scarcest.map((name) => ({ name, points: found.curve.map((point): Point => [point.pods, (point.requested[name] ?? 0) / found.allocatable[name]!]) })),
  ];
}

function changes(found: Capacity, name: string): boolean {
  return found.curve.at(0)?.requested[name] !== found.curve.at(-1)?.requested[name] || found.curve.length === 1;
}

export function pendingOver(found: Growth): Curve {
  return { name: "pending", points: found.curve.map((point) => [point.nodes, point.pending]) };
}

/** The points as an SVG path over a box of 100 by 100, y upwards. */
export function pathOf(points: readonly Point[], from: number, to: number, top: number): string {
  const width = to - from || 1;
  return points.map(([x, y], at) => `${at ? "L" : "M"}${(((x - from) / width) * 100).toFixed(2)} ${(100 - (y / (top || 1)) * 100).toFixed(2)}`).join("");
}

/** At most so many of the points, the first and the last among them: what a table can show. */
export function some<T>(points: readonly T[], most: number): T[] {
  if (points.length <= most) return [...points];
  return Array.from({ length: most }, (_, at) => points[Math.round((at * (points.length - 1)) / (most - 1))]!);
}
