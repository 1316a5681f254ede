/** Which rows of a long list are on the screen. */

export interface Window {
  first: number;
  last: number;
  before: number;
  after: number;
}

/** Rows `first..last` (exclusive) of `total`, and the blank space in pixels before and after them. */
export function windowOf(total: number, row: number, scroll: number, height: number, spare = 12): Window {
  const first = Math.max(0, Math.min(total, Math.floor(scroll / row) - spare));
  const last = Math.min(total, Math.ceil((scroll + height) / row) + spare);
  return { first, last, before: first * row, after: Math.max(0, total - last) * row };
}
