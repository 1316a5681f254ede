/** A thing that has moved is shown travelling from where it was to where it is (first, last, invert, play). */

import { prefersReducedMotion } from "./theme";

export type Places = Map<string, DOMRect>;

type Place = (key: string) => DOMRect | null;
const drawn = new Set<Place>();

/** Lets what is drawn rather than made of elements say where things are; gives the way to take it back. */
export function registerPlace(place: Place): () => void {
  drawn.add(place);
  return () => drawn.delete(place);
}

/** Where a thing is now: on what is drawn, else where its element stands. */
function rectOf(key: string): DOMRect | null {
  for (const place of drawn) {
    const rect = place(key);
    if (rect) return rect;
  }
  return visible(key)?.getBoundingClientRect() ?? null;
}

/** The element that stands for a thing; of several the last one in the page: on its node rather than in its queue. */
function visible(key: string): HTMLElement | null {
  const all = document.querySelectorAll<HTMLElement>(`[data-travel="${CSS.escape(key)}"]`);
  return [...all].findLast((element) => element.checkVisibility?.() ?? true) ?? null;
}

/** Where the things with these keys are now. */
export function placesOf(keys: Iterable<string>): Places {
  const places: Places = new Map();
  if (prefersReducedMotion()) return places;
  for (const key of keys) {
    const rect = rectOf(key);
    if (rect && rect.width > 0) places.set(key, rect);
  }
  return places;
}

/** Lets a ghost of each thing fly from its old place to its new one, above all panels. */
export function travel(before: Places, duration = 200): void {
  for (const [key, from] of before) {
    const to = rectOf(key);
    if (!to || to.width === 0 || Math.abs(from.left - to.left) + Math.abs(from.top - to.top) < 2) continue;
    fly(from, to, key.split("/").pop() ?? key, duration);
  }
}

function fly(from: DOMRect, to: DOMRect, label: string, duration: number): void {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.textContent = label;
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.width = `${Math.min(from.width, 220)}px`;
  ghost.style.height = `${Math.min(from.height, 24)}px`;
  document.body.append(ghost);
  const start = `translate(${from.left}px, ${from.top}px)`;
  const end = `translate(${to.left}px, ${to.top}px)`;
  const flight = ghost.animate(
    [
      { transform: start, opacity: 1 },
      { transform: end, opacity: 0.85, width: `${Math.max(8, Math.min(to.width, 220))}px` },
    ],
    { duration, easing: "cubic-bezier(0.2, 0, 0, 1)" },
  );
  flight.onfinish = () => ghost.remove();
  flight.oncancel = () => ghost.remove();
}
