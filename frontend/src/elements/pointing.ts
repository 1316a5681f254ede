/** Nodes that something on the page points at while it is hovered or focused: the map lets all others fade. */

import type { SpRun } from "./sp-run";

const pointed = new WeakMap<SpRun, ReadonlySet<string>>();

export function pointAt(run: SpRun, nodes: readonly string[]): void {
  if (nodes.length) pointed.set(run, new Set(nodes));
  else if (!pointed.delete(run)) return;
  run.touch();
}

export function pointedAt(run: SpRun): ReadonlySet<string> | undefined {
  return pointed.get(run);
}
