/** What a node had against pods: what it says of several, or again and again, is told once. */

import type { NodeAnswer, NodeVerdict } from "../api/detail";

export interface Refusal {
  verdict: NodeVerdict;
  /** Every plugin that refuses, with its numbers. */
  parts: readonly { plugin: string; text: string }[];
  /** Of whom it was said and in which cycles, the latest first. */
  pods: { pod: string; cycles: number[] }[];
}

export function sameRefusals(answers: readonly NodeAnswer[]): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const { verdict, refusals, pod, cycle } of answers) {
    const parts = refusals.map(({ plugin, text }) => ({ plugin, text }));
    const key = JSON.stringify([verdict, parts]);
    const same = found.get(key) ?? { verdict, parts, pods: [] };
    found.set(key, same);
    const known = same.pods.find((one) => one.pod === pod);
    if (known) known.cycles.push(cycle);
    else same.pods.push({ pod, cycles: [cycle] });
  }
  return [...found.values()];
}
