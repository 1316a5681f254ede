/** Where a scrolling box stands, remembered, so that drawing does not force a layout to find out. */

const ASSUMED_HEIGHT = 400;

export class Scroller {
  top = 0;
  height = ASSUMED_HEIGHT;
  private box: HTMLElement | null = null;
  private readonly sized: ResizeObserver;

  constructor(private readonly changed: () => void) {
    this.sized = new ResizeObserver((entries) => {
      this.height = entries[entries.length - 1]!.contentRect.height || ASSUMED_HEIGHT;
      this.changed();
    });
  }

  /** Watches the box that was drawn, if it is another one than before. */
  watch(box: HTMLElement | null): void {
    if (box === this.box) return;
    this.sized.disconnect();
    this.box = box;
    this.top = 0;
    if (box) this.sized.observe(box);
  }

  stop(): void {
    this.sized.disconnect();
    this.box = null;
  }

  readonly scrolled = (event: Event) => {
    this.top = (event.currentTarget as HTMLElement).scrollTop;
    this.changed();
  };

  /** Scrolls as little as shows a row with one to spare on either side. */
  show(at: number, row: number): void {
    const top = at * row;
    let wanted = this.top;
    if (top < this.top + row) wanted = Math.max(0, top - row * 2);
    else if (top > this.top + this.height - row * 2) wanted = top - this.height + row * 3;
    if (wanted === this.top || !this.box) return;
    this.box.scrollTop = wanted;
    this.top = wanted;
    this.changed();
  }
}
