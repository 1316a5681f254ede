/** The picture behind the stream: cells once, as cycles come; the playhead and what is still to come on a canvas above. */

import { CycleResult } from "../trace/cycle_index";
import type { CycleRow } from "../trace/cycle_index";
import { drawnText } from "./map_paint";
import type { Palette } from "./map_palette";
import type { MapScene } from "./map_scene";
import type { SpRun } from "./sp-run";

const MARKS = 12;
const NAMES = 112;
const NAMES_FROM = 13;
const NAMES_WIDE = 620;
const RIGHT = 16;
const LEFT = 16;
const BOTTOM = 10;
/** While the run goes on, columns are kept for so much more than there is. */
const AHEAD = 1.25;
const LEAST_COLUMNS = 32;

export class StreamPicture {
  private width = 0;
  private height = 0;
  private columns = 0;
  private drawn = 0;
  private madeOf = "";
  private readonly rowOf = new Map<number, number>();
  private byTime = false;
  private endUs = 1;

  constructor(
    private readonly run: SpRun,
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
    this.forget();
  }

  forget(): void {
    this.madeOf = "";
  }

  draw(scene: MapScene, palette: Palette, byTime: boolean): void {
    const context = this.base.getContext("2d");
    if (!context || this.width < 40) return;
    this.prepare(context, scene, palette, byTime);
    const { cycles } = this.run.store;
    // A cycle that was still running when it was drawn has an outcome by now.
    const from = Math.max(0, this.drawn - 1);
    for (let cycle = from + 1; cycle <= cycles.size; cycle += 1) this.cell(context, cycles.row(cycle)!, scene, palette);
    this.drawn = cycles.size;
    this.head(palette);
  }

  private prepare(context: CanvasRenderingContext2D, scene: MapScene, palette: Palette, byTime: boolean): void {
    const { store } = this.run;
    const total = store.cycles.size;
    const needed = this.run.ended ? Math.max(total, 1) : Math.max(LEAST_COLUMNS, total);
    if (total > this.columns || this.run.ended) this.columns = this.run.ended ? needed : Math.ceil(needed * AHEAD);
    const endUs = store.event(store.lastSeq)?.t_us ?? 1;
    if (byTime && endUs > this.endUs) this.endUs = this.run.ended ? endUs : endUs * AHEAD;
    const of = [this.width, this.height, this.columns, byTime, byTime ? this.endUs : 0, scene.settings.colour, scene.groups.length, store.state.goneNodes.size].join(" ");
    if (of === this.madeOf) return;
    this.madeOf = of;
    this.byTime = byTime;
    this.drawn = 0;
    this.rowOf.clear();
    for (const group of scene.groups) for (const node of group.nodes) this.rowOf.set(node, this.rowOf.size);
    context.clearRect(0, 0, this.width, this.height);
    this.names(context, scene, palette);
  }

  private get rowHeight(): number {
    return (this.height - MARKS - BOTTOM) / Math.max(1, this.rowOf.size);
  }

  private get left(): number {
    return this.rowHeight >= NAMES_FROM && this.width >= NAMES_WIDE ? LEFT + NAMES : LEFT;
  }

  private names(context: CanvasRenderingContext2D, scene: MapScene, palette: Palette): void {
    const height = this.rowHeight;
    let row = 0;
    for (const group of scene.groups) {
      const y = MARKS + row * height;
      context.fillStyle = palette.free;
      if (scene.groups.length > 1 && row > 0) context.fillRect(LEFT, y - 0.5, this.width - LEFT - RIGHT, 1);
      if (this.left > LEFT) {
        context.font = `11px ${palette.mono}`;
        context.fillStyle = palette.quiet;
        group.nodes.forEach((node, i) => context.fillText(drawnText(context, scene.shortName(node), NAMES - 8), LEFT, y + i * height + Math.min(height, 14) / 2 + 4));
      }
      row += group.nodes.length;
    }
  }

  private x(row: CycleRow): number {
    const share = this.byTime ? row.tUs / this.endUs : (row.cycle - 1) / this.columns;
    return this.left + share * (this.width - this.left - RIGHT);
  }

  private get cellWidth(): number {
    const width = (this.width - this.left - RIGHT) / this.columns;
    return this.byTime ? Math.max(2, Math.min(width, 6)) : Math.max(1.2, width - (width > 4 ? 1 : 0));
  }

  private cell(context: CanvasRenderingContext2D, row: CycleRow, scene: MapScene, palette: Palette): void {
    const x = this.x(row);
    if (row.result === CycleResult.SCHEDULED) {
      const at = this.rowOf.get(row.node);
      if (at === undefined) return;
      const height = this.rowHeight;
      context.fillStyle = palette.pod(scene.paint(row.pod));
      context.fillRect(x, MARKS + at * height, this.cellWidth, Math.max(1.5, height - (height > 4 ? 1 : 0)));
    } else if (row.result !== CycleResult.RUNNING) {
      context.fillStyle = (row.numVictims ? palette.states.victim : palette.states.refused) ?? palette.ink;
      context.fillRect(x, 1, Math.max(1.2, Math.min(this.cellWidth, 4)), MARKS - 5);
    }
  }

  /** The playhead; what comes after it is veiled. */
  private head(palette: Palette): void {
    const context = this.above.getContext("2d");
    if (!context) return;
    const { store } = this.run;
    context.clearRect(0, 0, this.width, this.height);
    const row = store.cycles.row(store.cycle);
    const x = row ? this.x(row) + this.cellWidth : this.left;
    context.globalAlpha = 0.72;
    context.fillStyle = palette.surface;
    context.fillRect(x, 0, this.width - x, this.height - BOTTOM + 2);
    context.globalAlpha = 1;
    context.fillStyle = palette.chosen;
    context.fillRect(x - 0.5, 0, 1.5, this.height - BOTTOM + 2);
    const mine = this.run.pod === null ? -1 : store.words.pods.find(this.run.pod);
    if (mine < 0) return;
    context.strokeStyle = palette.chosen;
    context.lineWidth = 2;
    for (const cycle of store.cycles.ofPod(mine)) {
      const one = store.cycles.row(cycle)!;
      const at = this.rowOf.get(one.node);
      const y = at === undefined ? 1 : MARKS + at * this.rowHeight;
      context.strokeRect(this.x(one) - 2, y - 2, this.cellWidth + 4, (at === undefined ? MARKS - 5 : Math.max(1.5, this.rowHeight - 1)) + 4);
    }
  }

  /** The cycle under a point: the nearest one in its column that ended in the row there; 0 where there is none. */
  cycleAt(x: number, y: number): number {
    const { store } = this.run;
    const share = (x - this.left) / Math.max(1, this.width - this.left - RIGHT);
    if (share < 0 || share > 1) return 0;
    const middle = this.byTime ? store.cycles.at(store.seqAt(share * this.endUs)) : Math.floor(share * this.columns) + 1;
    const around = Math.ceil(this.columns / Math.max(1, this.width)) * 3 + 1;
    const wanted = Math.floor((y - MARKS) / this.rowHeight);
    let best = 0;
    let least = Infinity;
    for (let cycle = middle - around; cycle <= middle + around; cycle += 1) {
      const row = store.cycles.row(cycle);
      if (!row) continue;
      const at = this.rowOf.get(row.node) ?? -1;
      const distance = Math.abs(at - wanted) * this.rowHeight + Math.abs(this.x(row) - x);
      if (distance < least) [best, least] = [cycle, distance];
    }
    return best;
  }
}
