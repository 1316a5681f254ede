/** A thing that has moved is shown travelling from where it was to where it is (first, last, invert, play). */

import { prefersReducedMotion } from "./theme";

export type Places = Map<string, DOMRect>;

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
    const rect = visible(key)?.getBoundingClientRect();
    if (rect && rect.width > 0) places.set(key, rect);
  }
  return places;
}

/** Lets a ghost of each thing fly from its old place to its new one, above all panels. */
export function travel(before: Places, duration = 200): void {
  for (const [key, from] of before) {
    const element = visible(key);
    if (!element) continue;
    const to = element.getBoundingClientRect();
    if (to.width === 0 || Math.abs(from.left - to.left) + Math.abs(from.top - to.top) < 2) continue;
    fly(from, to, element.dataset["travelLabel"] ?? "", duration);
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
