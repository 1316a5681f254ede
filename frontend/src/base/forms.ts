/** Plain forms: a button that was pressed rests until the answer is here, and Run has a key. */

import { keyMap } from "./keys";

export function watchForms(page: Document): void {
  page.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    if (button) setTimeout(() => (button.disabled = true));
  });
  // A page that comes back from the history has its buttons again.
  window.addEventListener("pageshow", () => {
    for (const button of page.querySelectorAll<HTMLButtonElement>("form[action] button[type=submit]")) button.disabled = false;
  });
  const run = page.querySelector<HTMLButtonElement>("[data-run]");
  if (run) keyMap.add({ keys: "r", label: "run", group: "Page", run: () => run.click() });
}
