/** Lines over the cycles on a canvas: drawn when the numbers change, the playhead on a canvas of its own above. */

export interface Line {
  color: string;
  values: Float64Array;
  /** Where its values stand, where that is not where those of the other lines do. */
  at?: Float64Array;
}

export interface ChartLook {
  ink: string;
  quiet: string;
  grid: string;
  font: string;
}

export interface ChartData {
  lines: readonly Line[];
  /** Where each value stands on the x axis, ascending; the last one's right end is `endX`. */
  at: Float64Array | null;
  endX: number;
  top: number;
  yWords: (value: number) => string;
  xWords: (value: number) => string;
}

const LEFT = 44;
const BOTTOM = 18;
const TOP = 8;
const RIGHT = 8;

/** A round number at or above: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value * 0.999999) ?? 10 * power;
}

export class LineChart {
  private width = 0;
  private height = 0;

  constructor(
    private readonly base: HTMLCanvasElement,
    private readonly above: HTMLCanvasElement,
  ) {}

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.base, this.above]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }

  draw(data: ChartData, look: ChartLook): void {
    const context = this.base.getContext("2d");
    if (!context || this.width < 40) return;
    context.clearRect(0, 0, this.width, this.height);
    this.axes(context, data, look);
    for (const line of data.lines) this.line(context, data, line);
  }

  private axes(context: CanvasRenderingContext2D, data: ChartData, look: ChartLook): void {
    context.font = `11px ${look.font}`;
    context.lineWidth = 1;
    context.strokeStyle = look.grid;
    context.fillStyle = look.quiet;
    context.textAlign = "right";
    for (const share of [0, 0.5, 1]) {
      const y = Math.round(this.y(share * data.top, data)) + 0.5;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(this.width - RIGHT, y);
      context.stroke();
      context.fillText(data.yWords(share * data.top), LEFT - 6, y + 4);
    }
    for (const share of [0, 0.5, 1]) {
      context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
      context.fillText(data.xWords(share * data.endX), LEFT + share * this.inner, this.height - 4);
    }
    context.textAlign = "left";
  }

  private get inner(): number {
    return this.width - LEFT - RIGHT;
  }

  private x(value: number, data: ChartData): number {
    return LEFT + (value / (data.endX || 1)) * this.inner;
  }

  private y(value: number, data: ChartData): number {
    return TOP + (1 - value / (data.top || 1)) * (this.height - TOP - BOTTOM);
  }

  /** A step line; of the values that share a column of pixels the least, the most and the last are drawn. */
  private line(context: CanvasRenderingContext2D, data: ChartData, { color, values, at = data.at ?? undefined }: Line): void {
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.beginPath();
    let column = -1;
    let least = 0;
    let most = 0;
    let last = 0;
    const flush = () => {
      if (column < 0) return;
      context.lineTo(column, this.y(most, data));
      context.lineTo(column, this.y(least, data));
      context.lineTo(column, this.y(last, data));
    };
    for (let i = 0; i < values.length; i += 1) {
      const x = Math.round(this.x(at?.[i] ?? i + 1, data));
      const value = values[i]!;
      if (x !== column) {
        flush();
        if (column >= 0) context.lineTo(x, this.y(last, data));
        else context.moveTo(x, this.y(value, data));
        column = x;
        least = value;
        most = value;
      }
      least = Math.min(least, value);
      most = Math.max(most, value);
      last = value;
    }
    flush();
    context.stroke();
  }

  /** The playhead. */
  point(x: number, data: ChartData, look: ChartLook): void {
    const context = this.above.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, this.width, this.height);
    context.strokeStyle = look.ink;
    context.lineWidth = 1;
    const at = Math.round(this.x(Math.min(x, data.endX), data)) + 0.5;
    context.beginPath();
    context.moveTo(at, TOP - 4);
    context.lineTo(at, this.height - BOTTOM);
    context.stroke();
  }

  /** The place on the x axis under a point of the canvas. */
  valueAt(offsetX: number, data: ChartData): number {
    return Math.max(0, Math.min(1, (offsetX - LEFT) / Math.max(1, this.inner))) * data.endX;
  }
}
