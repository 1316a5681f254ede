/** The scheduler's message of a pod that fits nowhere, taken apart: how many nodes have which reason. */

export interface ReasonCount {
  nodes: number;
  reason: string;
}

/** "0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods. preemption: …" → both reasons, the most frequent first. */
export function reasonCounts(message: string): ReasonCount[] {
  const told = /nodes are available: (.*?)(?:\. |\.$|$)/.exec(message)?.[1] ?? "";
  return told
    .split(/, (?=\d+ )/)
    .flatMap((part) => {
      const found = /^(\d+) (.+)$/.exec(part);
      return found ? [{ nodes: Number(found[1]), reason: found[2]! }] : [];
    })
    .sort((a, b) => b.nodes - a.nodes);
}
