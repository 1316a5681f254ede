/** How many events a second came lately. */

const SPAN_MS = 1000;

export class RateMeter {
  private readonly times: number[] = [];
  private readonly counts: number[] = [];
  private sum = 0;

  add(count: number, now: number): void {
    this.times.push(now);
    this.counts.push(count);
    this.sum += count;
    this.forget(now);
  }

  perSecond(now: number): number {
    this.forget(now);
    return this.sum;
  }

  private forget(now: number): void {
    while (this.times.length && this.times[0]! < now - SPAN_MS) {
      this.times.shift();
      this.sum -= this.counts.shift()!;
    }
  }
}
