/** The tabs of the details: which one belongs to what is selected. */

const TABS = ["cycle", "pod", "node"] as const;
export type Tab = (typeof TABS)[number];

export function isTab(name: string | undefined): name is Tab {
  return TABS.includes(name as Tab);
}

/** The tab that a selection opens. */
export function tabOf({ pod, node }: { pod: string | null; node: string | null }): Tab {
  return pod ? "pod" : node ? "node" : "cycle";
}
