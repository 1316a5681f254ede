/** The parts of the application in the palette, as the main navigation has them. */

import { provideCommands } from "./commands";

export function offerSections(page: Document): void {
  provideCommands((text) => {
    if (!text) return [];
    const links = [...page.querySelectorAll<HTMLAnchorElement>("#sections a")];
    return links.map((link) => ({ title: link.text.trim(), group: "Go to", run: () => link.click() }));
  });
}
