/** Elements of pages that few visits need: fetched when a page has one of them. */

type Fetch = () => Promise<unknown>;

const PAGES: readonly (readonly [tag: string, fetch: Fetch])[] = [
  ["sp-what-if", () => import("./what_if_page")],
  ["sp-fork", () => import("./fork_page")],
  ["sp-compare", () => import("./compare_page")],
  ["sp-profile", () => import("./profile_page")],
];

/** Fetches what the page's elements are made of. */
export function fetchPages(page: Document): void {
  for (const [tag, fetch] of PAGES) if (page.querySelector(tag)) void fetch();
}
