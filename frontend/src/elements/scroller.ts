/** Where a scrolling box stands, remembered, so that drawing does not force a layout to find out. */

import type { Window } from "../base/windowed";

const ASSUMED_HEIGHT = 400;

export class Scroller {
  top = 0;
  height = ASSUMED_HEIGHT;
  private box: HTMLElement | null = null;
  private aimed = false;
  /** What is to be in sight, until somebody scrolls away from it. */
  private target: { at: number; row: number; total: number } | null = null;
  private readonly sized: ResizeObserver;

  constructor(private readonly changed: () => void) {
    this.sized = new ResizeObserver((entries) => {
      this.height = entries[entries.length - 1]!.contentRect.height || ASSUMED_HEIGHT;
      if (this.target) this.aim(this.target.at, this.target.row, this.target.total);
      this.changed();
    });
  }

  /** Watches the box that was drawn, if it is another one than before. */
  watch(box: HTMLElement | null): void {
    if (box === this.box) return;
    this.sized.disconnect();
    this.box = box;
    if (!this.aimed) this.top = 0;
    if (box) this.sized.observe(box);
  }

  stop(): void {
    this.sized.disconnect();
    this.box = null;
  }

  readonly scrolled = (event: Event) => {
    const top = (event.currentTarget as HTMLElement).scrollTop;
    if (Math.abs(top - this.top) < 1) return;
    this.top = top;
    this.target = null;
    this.changed();
  };

  /**
   * The rows around one, put where the box happens to stand: while the playhead is drawn along rows come to the box, for
   * moving the box to the rows would have the page laid out each time.
   */
  brought(at: number, row: number, total: number): Window {
    const fit = Math.ceil(this.height / row) + 1;
    const first = Math.max(0, Math.min(at - Math.floor(fit / 2), total - fit));
    const last = Math.min(total, first + fit);
    const before = Math.max(0, Math.min(this.top, (total - fit) * row));
    return { first, last, before, after: Math.max(0, total * row - before - (last - first) * row) };
  }

  /** Before drawing: aims at a row, moving as little as shows it with one to spare on either side. */
  aim(at: number, row: number, total: number): void {
    this.target = { at, row, total };
    const top = at * row;
    let wanted = this.top;
    if (top < this.top + row) wanted = top - row * 2;
    else if (top > this.top + this.height - row * 2) wanted = top - this.height + row * 3;
    else return;
    this.top = Math.max(0, Math.min(wanted, total * row - this.height));
    this.aimed = true;
  }

  /** After drawing: scrolls to where it was aimed. */
  settle(): void {
    if (this.aimed && this.box) this.box.scrollTop = this.top;
    this.aimed = false;
  }
}
