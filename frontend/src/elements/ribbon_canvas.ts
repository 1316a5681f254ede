/** The cycles of two runs as a ribbon on a canvas: a cell each, or where there are more than pixels the most telling of a column. */

import { isDifferent } from "../trace/alignment";
import type { Alignment } from "../trace/alignment";

/** Colour tokens by kind. */
export const KIND_TOKENS = ["--line-strong", "--changed", "--refused", "--fits", "--victim", "--ink-2", "--assumed", "--free"] as const;

/** Which kind a column of several cells shows: what is rarer and worse first. */
const RANK = [0, 4, 7, 5, 6, 3, 2, 1];
/** Cells wider than this are drawn apart from each other. */
const APART = 4;

export class RibbonCanvas {
  private width = 0;
  private height = 0;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  resize(width: number, height: number): boolean {
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }

  private cellWidth(size: number): number {
    return this.width / Math.max(1, size);
  }

  /** Where a cell's right end is, as a share of the width: there the playhead stands. */
  placeOf(cell: number, size: number): number {
    return this.width ? (cell * this.cellWidth(size)) / this.width : 0;
  }

  /** The cell under a point, counted from 1. */
  cellAt(offsetX: number, size: number): number {
    return Math.max(1, Math.min(size, Math.ceil(offsetX / (this.cellWidth(size) || 1))));
  }

  draw(alignment: Alignment, colors: readonly string[]): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.width) return;
    context.clearRect(0, 0, this.width, this.height);
    const { kind, size } = alignment;
    const wide = this.cellWidth(size);
    if (wide >= 1) {
      const gap = wide >= APART ? 1 : 0;
      for (let cell = 0; cell < size; cell += 1) this.bar(context, kind[cell]!, cell * wide, wide - gap, colors);
      return;
    }
    const columns = Math.ceil(this.width);
    for (let column = 0; column < columns; column += 1) {
      const from = Math.floor((column * size) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * size) / columns));
      let shown = kind[from]!;
      for (let cell = from + 1; cell < to; cell += 1) if (RANK[kind[cell]!]! > RANK[shown]!) shown = kind[cell]!;
      this.bar(context, shown, column, 1, colors);
    }
  }

  /** Equal ones are low and grey; of one run alone, the upper half is the first run's and the lower one the second's. */
  private bar(context: CanvasRenderingContext2D, kind: number, x: number, width: number, colors: readonly string[]): void {
    context.fillStyle = colors[kind]!;
    const { height } = this;
    if (!isDifferent(kind)) context.fillRect(x, height * 0.38, width, height * 0.24);
    else if (kind === 5) context.fillRect(x, 0, width, height * 0.46);
    else if (kind === 6) context.fillRect(x, height * 0.54, width, height * 0.46);
    else context.fillRect(x, 0, width, height);
  }
}
