/**
 * When the views of a run are drawn: at most once a frame; in turn while the playhead is drawn along; a few times a second
 * while events rush in.
 */

import type { RunView } from "./light";

/** While events rush in, the page is drawn this seldom: drawing takes the processor from what computes them. */
const RUSHING_DRAW_MS = 200;
/** … and never more than one part in so many of the time. */
const DRAWN_PART = 4;
/** After so long without an event it rushes no more. */
const CALM_AFTER_MS = 1100;
/** Seeks that follow each other so closely are one movement; when it rests all views are drawn. */
const REST_MS = 180;
/** … on a machine that draws slowly. */
const LONGEST_REST_MS = 800;

/** What is drawn when the run has changed. */
export type Drawable = Pick<RunView, "pace" | "requestUpdate">;

export interface Drawn {
  /** True while events come faster than anybody reads. */
  readonly rushing: boolean;
  /** Called before views are drawn. */
  beforeDrawing(): void;
}

export class Drawing {
  readonly views = new Set<Drawable>();
  private turn = 0;
  private movedAt = -Infinity;
  private resting = 0;
  private dirty = false;
  private later = 0;
  private calming = 0;
  private drawnAt = 0;
  /** How long the last drawing took, until the next frame could begin. */
  private took = 0;

  constructor(private readonly run: Drawn) {}

  stop(): void {
    clearTimeout(this.later);
    clearTimeout(this.calming);
    clearTimeout(this.resting);
  }

  /** Tells the views, at most once a frame; what was done by hand is shown at once. */
  touch(): void {
    clearTimeout(this.later);
    this.later = 0;
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.draw());
  }

  /** Tells the views of what came in: while it rushes, a few times a second is all that can be read. */
  touchSoon(): void {
    if (!this.run.rushing) this.touch();
    if (this.dirty || this.later) return;
    const rest = Math.max(RUSHING_DRAW_MS, this.took * DRAWN_PART) - (performance.now() - this.drawnAt);
    if (rest <= 0) this.touch();
    else this.later = window.setTimeout(() => this.touch(), rest);
  }

  /** True while the playhead is drawn along. */
  get moving(): boolean {
    return this.resting !== 0;
  }

  /** Says that the playhead was moved by hand: soon after one move the next is part of the same movement. */
  swept(): void {
    const now = performance.now();
    const rest = Math.min(LONGEST_REST_MS, Math.max(REST_MS, this.took * 4));
    const goesOn = now - this.movedAt < rest;
    this.movedAt = now;
    clearTimeout(this.resting);
    this.resting = 0;
    if (goesOn) {
      this.resting = window.setTimeout(() => {
        this.resting = 0;
        this.touch();
      }, rest);
    }
    this.touch();
  }

  private draw(): void {
    this.dirty = false;
    this.drawnAt = performance.now();
    clearTimeout(this.calming);
    if (this.run.rushing) this.calming = window.setTimeout(() => this.touch(), CALM_AFTER_MS);
    this.run.beforeDrawing();
    if (this.moving) {
      this.drawInTurn();
      return;
    }
    for (const view of this.views) view.requestUpdate();
    const from = this.drawnAt;
    requestAnimationFrame(() => (this.took = performance.now() - from));
  }

  /** A part of the views, so that no frame takes long: each as often as its pace says. */
  private drawInTurn(): void {
    const of = (pace: RunView["pace"]) => [...this.views].filter((view) => view.pace === pace);
    for (const view of of("every")) view.requestUpdate();
    this.turn += 1;
    if (this.turn % 2 === 0) {
      for (const view of of("second")) view.requestUpdate();
      return;
    }
    const waiting = of("turn");
    waiting[((this.turn - 1) / 2) % Math.max(1, waiting.length)]?.requestUpdate();
  }
}
