/** The canvas of the map: sizes, zoom and pan, pointer and keys. It draws; what a choice means is the map's affair. */

import { rowSoFar } from "../trace/cycle_so_far";
import { MapPainter } from "./map_paint";
import type { Port } from "./map_paint";
import { layoutMap, neighbour, nodeAt } from "./map_layout";
import type { MapLayout } from "./map_layout";
import type { Palette } from "./map_palette";
import type { MapScene } from "./map_scene";

const CLOSEST = 24;
const ZOOM_STEP = 1.5;
const DRAG_FROM = 4;
/** Whose node gets a ring, and its colour: the cycle's, the selected pod's, the selected one, the one pointed at. */
const RINGS = ["--assumed", "--chosen", "--ink", "--ink"] as const;

export interface CanvasHost {
  hovered(node: number): void;
  picked(node: number, event: MouseEvent | KeyboardEvent): void;
  /** Takes the nodes inside of a frame that was drawn with Shift; where nobody does, Shift pans as always. */
  framed: ((nodes: number[]) => void) | null;
  zoomed(): void;
}

export class MapCanvas {
  zoom = 1;
  cursor = -1;
  layout: MapLayout | null = null;
  private left = 0;
  private top = 0;
  private width = 0;
  private height = 0;
  private painter: MapPainter | null = null;
  private readonly rings: HTMLElement[];
  private madeOf: unknown[] = [];
  private ringsAre = "";
  private grabbed: { x: number; y: number; left: number; top: number; moved: boolean; frames: boolean } | null = null;
  private readonly touches = new Map<number, { x: number; y: number }>();
  private pinch = 0;
  private readonly frame = document.createElement("i");

  constructor(
    private readonly tiles: HTMLCanvasElement,
    private readonly above: HTMLElement,
    private readonly host: CanvasHost,
  ) {
    // Elements, not a second canvas: a canvas that changes is handed to the compositor as a whole, each frame.
    this.rings = RINGS.map(() => document.createElement("i"));
    this.frame.className = "frame";
    this.frame.hidden = true;
    above.replaceChildren(...this.rings, this.frame);
    above.addEventListener("pointerdown", this.press);
    above.addEventListener("pointermove", this.move);
    above.addEventListener("pointerup", this.release);
    above.addEventListener("pointercancel", this.release);
    above.addEventListener("pointerleave", () => this.hover(-1));
    above.addEventListener("keydown", this.key);
    above.addEventListener("wheel", this.wheel, { passive: false });
  }

  /** Takes the size of the box around, told by an observer, so that drawing forces no layout. */
  resize(width: number, height: number): boolean {
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    return true;
  }

  draw(scene: MapScene, palette: Palette): void {
    if (this.width < 8 || this.height < 8) return;
    this.size();
    const parts = [scene.groups, scene.allocatable, this.width, this.height, this.zoom];
    if (!this.layout || parts.some((part, i) => part !== this.madeOf[i])) {
      this.madeOf = parts;
      this.layout = layoutMap(scene.groups, scene.allocatable, this.width * this.zoom, this.height * this.zoom);
      this.ringsAre = "";
    }
    const context = (this.painter?.context ?? this.tiles.getContext("2d"))!;
    const next = this.painter?.next(scene, this.layout, palette, this.port) ?? new MapPainter(context, scene, this.layout, palette, this.port);
    next.paint();
    this.painter = next;
    this.ring(scene);
  }

  private get port(): Port {
    return { left: this.left, top: this.top, width: this.width, height: this.height };
  }

  private size(): void {
    const { tiles } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(this.width * ratio);
    const height = Math.round(this.height * ratio);
    if (tiles.width === width && tiles.height === height) return;
    tiles.width = width;
    tiles.height = height;
    tiles.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.painter = null;
    this.ringsAre = "";
  }

  private ring(scene: MapScene): void {
    const { run } = scene;
    const { store } = run;
    const pod = run.pod === null ? -1 : store.words.pods.find(run.pod);
    const row = store.live && !run.ended ? undefined : rowSoFar(store, run.subject);
    const nodes = [row?.node ?? -1, pod < 0 ? -1 : store.state.pods.nodeOf(pod), run.node === null ? -1 : store.words.nodes.find(run.node), this.cursor];
    const are = `${nodes.join()} ${this.left} ${this.top} ${this.zoom} ${this.width} ${this.height}`;
    if (are === this.ringsAre) return;
    this.ringsAre = are;
    this.rings.forEach((ring, i) => this.put(ring, nodes[i]!, RINGS[i]!));
  }

  private put(ring: HTMLElement, node: number, token: string): void {
    const { layout } = this;
    ring.hidden = node < 0 || !layout?.w[node];
    if (ring.hidden || !layout) return;
    ring.style.left = `${layout.x[node]! - this.left - 1}px`;
    ring.style.top = `${layout.y[node]! - this.top - 1}px`;
    ring.style.width = `${layout.w[node]! + 1}px`;
    ring.style.height = `${layout.h[node]! + 1}px`;
    ring.style.borderColor = `var(${token})`;
  }

  /** Where a node is on the page; null where it is not in sight. */
  placeOf(node: number): DOMRect | null {
    const { layout } = this;
    if (!layout?.w[node]) return null;
    const box = this.tiles.getBoundingClientRect();
    const x = layout.x[node]! - this.left;
    const y = layout.y[node]! - this.top;
    if (x < 0 || y < 0 || x > this.width || y > this.height) return null;
    return new DOMRect(box.left + x, box.top + y, layout.w[node], layout.h[node]);
  }

  zoomBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const zoom = Math.min(CLOSEST, Math.max(1, this.zoom * factor));
    const ratio = zoom / this.zoom;
    this.left = (this.left + x) * ratio - x;
    this.top = (this.top + y) * ratio - y;
    this.zoom = zoom;
    this.keepInside();
    this.host.zoomed();
  }

  zoomIn = () => this.zoomBy(ZOOM_STEP);
  zoomOut = () => this.zoomBy(1 / ZOOM_STEP);

  fit = () => {
    this.zoom = 1;
    this.left = 0;
    this.top = 0;
    this.host.zoomed();
  };

  private keepInside(): void {
    this.left = Math.max(0, Math.min(this.left, this.width * (this.zoom - 1)));
    this.top = Math.max(0, Math.min(this.top, this.height * (this.zoom - 1)));
  }

  /** Moves so that a node is in sight. */
  private reveal(node: number): void {
    const { layout } = this;
    if (!layout || node < 0) return;
    this.left = Math.max(Math.min(this.left, layout.x[node]! - 8), layout.x[node]! + layout.w[node]! + 8 - this.width);
    this.top = Math.max(Math.min(this.top, layout.y[node]! - 8), layout.y[node]! + layout.h[node]! + 8 - this.height);
    this.keepInside();
  }

  private hover(node: number): void {
    if (node === this.cursor) return;
    this.cursor = node;
    this.host.hovered(node);
  }

  private at(event: MouseEvent): number {
    return this.layout ? nodeAt(this.layout, event.offsetX + this.left, event.offsetY + this.top) : -1;
  }

  private readonly press = (event: PointerEvent) => {
    this.touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    const frames = event.shiftKey && this.host.framed !== null;
    this.grabbed = { x: event.offsetX, y: event.offsetY, left: this.left, top: this.top, moved: false, frames };
    this.pinch = this.spread();
  };

  private spread(): number {
    const [a, b] = [...this.touches.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private readonly move = (event: PointerEvent) => {
    if (this.touches.has(event.pointerId)) this.touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.touches.size === 2) {
      const spread = this.spread();
      if (this.pinch && spread) this.zoomBy(spread / this.pinch, event.offsetX, event.offsetY);
      this.pinch = spread;
      if (this.grabbed) this.grabbed.moved = true;
      return;
    }
    const { grabbed } = this;
    if (!grabbed) {
      this.hover(this.at(event));
      return;
    }
    const x = event.offsetX - grabbed.x;
    const y = event.offsetY - grabbed.y;
    if (!grabbed.moved && Math.abs(x) + Math.abs(y) < DRAG_FROM) return;
    if (!grabbed.moved) this.above.setPointerCapture(event.pointerId);
    grabbed.moved = true;
    if (grabbed.frames) {
      this.drawFrame(grabbed, event);
      return;
    }
    this.left = grabbed.left - x;
    this.top = grabbed.top - y;
    this.keepInside();
    this.host.zoomed();
  };

  private readonly release = (event: PointerEvent) => {
    const wasClick = event.type === "pointerup" && this.grabbed && !this.grabbed.moved && this.touches.size === 1;
    if (event.type === "pointerup" && this.grabbed?.frames && this.grabbed.moved) this.host.framed?.(this.inFrame(this.grabbed, event));
    this.touches.delete(event.pointerId);
    this.grabbed = null;
    this.frame.hidden = true;
    this.pinch = 0;
    if (!wasClick) return;
    const node = this.at(event);
    if (node >= 0) this.host.picked(node, event);
  };

  private drawFrame(from: { x: number; y: number }, to: PointerEvent): void {
    const { style } = this.frame;
    this.frame.hidden = false;
    style.left = `${Math.min(from.x, to.offsetX)}px`;
    style.top = `${Math.min(from.y, to.offsetY)}px`;
    style.width = `${Math.abs(to.offsetX - from.x)}px`;
    style.height = `${Math.abs(to.offsetY - from.y)}px`;
  }

  /** Nodes that a frame touches. */
  private inFrame(from: { x: number; y: number }, to: PointerEvent): number[] {
    const { layout } = this;
    if (!layout) return [];
    const [x0, x1] = [Math.min(from.x, to.offsetX) + this.left, Math.max(from.x, to.offsetX) + this.left];
    const [y0, y1] = [Math.min(from.y, to.offsetY) + this.top, Math.max(from.y, to.offsetY) + this.top];
    return Array.from(layout.order).filter((node) => layout.w[node]! > 0 && layout.x[node]! < x1 && layout.x[node]! + layout.w[node]! > x0 && layout.y[node]! < y1 && layout.y[node]! + layout.h[node]! > y0);
  }

  /** Where the page itself scrolls, the wheel zooms only with Ctrl, as a pinch on a touchpad does too. */
  private readonly wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && document.documentElement.scrollHeight > window.innerHeight) return;
    event.preventDefault();
    this.zoomBy(1.0015 ** -event.deltaY, event.offsetX, event.offsetY);
  };

  private readonly key = (event: KeyboardEvent) => {
    const { layout } = this;
    if (!layout) return;
    if (event.key === "+" || event.key === "=") this.zoomIn();
    else if (event.key === "-") this.zoomOut();
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter" && this.cursor >= 0) this.host.picked(this.cursor, event);
    else if (event.key.startsWith("Arrow") && !event.shiftKey) {
      const node = neighbour(layout, this.cursor, event.key);
      this.reveal(node);
      this.hover(node);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
