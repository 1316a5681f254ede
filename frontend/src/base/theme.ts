/** Light, dark, or as the system prefers; a choice made by hand is remembered. */

export type Theme = "light" | "dark";

const KEY = "theme";
const preference = () => matchMedia("(prefers-color-scheme: dark)");

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return preference().matches ? "dark" : "light";
}

/** Sets the theme by hand; choosing what the system prefers forgets the choice. */
export function chooseTheme(theme: Theme): void {
  const followsSystem = preference().matches === (theme === "dark");
  if (followsSystem) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    if (followsSystem) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  document.dispatchEvent(new CustomEvent("theme-changed"));
}

/** Calls back when the theme changes, by hand or by the system. */
export function onTheme(listener: () => void): () => void {
  const media = preference();
  document.addEventListener("theme-changed", listener);
  media.addEventListener("change", listener);
  return () => {
    document.removeEventListener("theme-changed", listener);
    media.removeEventListener("change", listener);
  };
}

export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
