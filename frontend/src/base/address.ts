/** What is looked at, in the page's address: so every view has a link and Back works. */

export interface Address {
  cycle: number | null;
  /** Event the playhead stands at, where that is not the end of a cycle. */
  at: number | null;
  /** So many plugins asked since that event; null for none. */
  stop: number | null;
  pod: string | null;
  node: string | null;
  /** How the panels show it: grouping, filters, what is searched for. What is as always is not here. */
  view: Record<string, string>;
}

/** Settings of panels that the address keeps. */
export const VIEW_NAMES = ["by", "size", "colour", "find", "board", "log", "kind", "q", "break", "axis", "panel", "tab", "point", "verdicts", "reason", "ask"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

const whole = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

export function readAddress(search: string): Address {
  const params = new URLSearchParams(search);
  return {
    cycle: whole(params.get("cycle")),
    at: whole(params.get("at")),
    stop: whole(params.get("stop")),
    pod: params.get("pod"),
    node: params.get("node"),
    view: Object.fromEntries(VIEW_NAMES.flatMap((name) => (params.has(name) ? [[name, params.get(name)!]] : []))),
  };
}

/** The query for an address; what is null is left out, what belongs to others stays. */
export function queryOf(address: Address, search: string): string {
  const params = new URLSearchParams(search);
  const { view, ...place } = address;
  const shown = Object.fromEntries(VIEW_NAMES.map((name) => [name, view[name] ?? null]));
  for (const [name, value] of Object.entries({ ...place, ...shown }) as [string, string | number | null][]) {
    if (value === null) params.delete(name);
    else params.set(name, String(value));
  }
  const text = params.toString().replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}

/** Writes the address: a step of its own in the history for a choice, none for a moving playhead. */
export function writeAddress(address: Address, step: boolean): void {
  const query = queryOf(address, location.search);
  if (query === location.search) return;
  const url = `${location.pathname}${query}${location.hash}`;
  if (step) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}
