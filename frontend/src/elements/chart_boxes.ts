/** The charts of an element: each adopted when its box is on the page, and told its size; the element draws them. */

import { LineChart } from "./line_chart";
import type { ChartData } from "./line_chart";

export interface Drawn {
  chart: LineChart;
  data: ChartData | null;
}

export class ChartBoxes {
  /** By the `data-chart` of their boxes, which hold two canvases. */
  readonly charts = new Map<string, Drawn>();
  private readonly resized: ResizeObserver;

  constructor(changed: () => void) {
    this.resized = new ResizeObserver((entries) => {
      for (const entry of entries) {
        const name = (entry.target as HTMLElement).dataset["chart"] ?? "";
        this.charts.get(name)?.chart.resize(Math.floor(entry.contentRect.width), Math.floor(entry.contentRect.height));
      }
      changed();
    });
  }

  /** Takes boxes that have just been put on the page. */
  adopt(root: HTMLElement): void {
    for (const box of root.querySelectorAll<HTMLElement>(".chart-box")) {
      const name = box.dataset["chart"]!;
      if (this.charts.has(name)) continue;
      const [base, above] = box.querySelectorAll("canvas");
      this.charts.set(name, { chart: new LineChart(base!, above!), data: null });
      this.resized.observe(box);
    }
  }

  stop(): void {
    this.resized.disconnect();
    this.charts.clear();
  }
}
