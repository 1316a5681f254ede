/** What the palette offers: every key's action, and what the page's elements add, found by a few letters. */

import { keyMap } from "./keys";

export interface Command {
  title: string;
  group: string;
  /** Said beside it: its key, or what kind of thing it is. */
  aside?: string;
  run: () => void;
}

/** Commands for what was typed; asked with every letter, so it should find quickly. */
export type Provider = (text: string) => Command[];

const providers = new Set<Provider>();

export function provideCommands(provider: Provider): () => void {
  providers.add(provider);
  return () => providers.delete(provider);
}

const MOST = 60;

/** How well a title matches: 0 not at all; more where letters follow each other and begin words. */
export function matchOf(title: string, text: string): number {
  const wanted = text.toLowerCase();
  const all = title.toLowerCase();
  const at = all.indexOf(wanted);
  if (at >= 0) return 1000 - Math.min(at, 200) - Math.min(all.length, 200) + (at === 0 || /[^a-z0-9]/.test(all[at - 1]!) ? 200 : 0);
  let score = 0;
  let from = 0;
  for (const letter of wanted.replaceAll(" ", "")) {
    const found = all.indexOf(letter, from);
    if (found < 0) return 0;
    score += found === from ? 4 : /[^a-z0-9]/.test(all[found - 1] ?? " ") ? 3 : 1;
    from = found + 1;
  }
  return score;
}

export function findCommands(text: string): Command[] {
  const keyed: Command[] = keyMap.bindings
    .filter((binding) => binding.group !== "Palette")
    .map((binding) => ({ title: binding.label, group: binding.group, aside: binding.keys, run: binding.run }));
  const all = [...keyed, ...[...providers].flatMap((provider) => provider(text.trim()))];
  if (!text.trim()) return all.slice(0, MOST);
  return all
    .map((command) => ({ command, score: matchOf(command.title, text.trim()) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map((one) => one.command);
}
