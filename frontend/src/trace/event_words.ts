/** An event in a few words: what the log shows, what its search looks through. */

import type { TraceEvent } from "../api/events.gen";
import { count, counted, podName, time } from "../base/format";

type Describe = { [T in TraceEvent["type"]]?: (event: Extract<TraceEvent, { type: T }>) => string };

const named = (pods: readonly string[]): string => pods.map(podName).join(", ");

const DESCRIBE: Describe = {
  RunStarted: (event) => `${count(event.num_nodes)} nodes, ${count(event.num_bound)} bound, ${count(event.num_pending)} pending`,
  RunFinished: (event) => `${count(event.num_cycles)} cycles, ${count(event.num_bound)} bound, ${count(event.num_pending)} pending`,
  PodEnqueued: (event) => `${podName(event.pod)} → ${event.queue} (${event.event})`,
  CycleStarted: (event) => `${podName(event.pod)} cycle ${event.cycle}, attempt ${event.attempt}`,
  NodesFiltered: (event) => `${podName(event.pod)} ${count(event.num_feasible)} of ${count(event.num_evaluated)} fit`,
  NodesScored: (event) => `${podName(event.pod)} ${(event.scores ?? []).slice(0, 2).map(([node, total]) => `${node} ${total}`).join(", ")}`,
  PodUnschedulable: (event) => `${podName(event.pod)} ${event.message}`,
  VictimsSelected: (event) => `${podName(event.pod)} evicts ${named(event.victims ?? [])} from ${event.node}`,
  PodDequeued: (event) => `${podName(event.pod)} ${event.reason === "deleting" ? "skipped: it is being deleted" : event.reason}`,
};

/** Fields that say when and which, not what. */
const APART = new Set(["seq", "t_us", "type", "cycle"]);

/** The rest of an event in a few words; one that has no words of its own shows its fields. */
export function describe(event: TraceEvent): string {
  const own = DESCRIBE[event.type] as ((event: TraceEvent) => string) | undefined;
  if (own) return own(event);
  const parts: string[] = [];
  for (const [field, value] of Object.entries(event)) {
    if (APART.has(field)) continue;
    if (field === "pod") parts.push(podName(String(value)));
    else if (field === "node" && value) parts.push(`→ ${value}`);
    else if (field === "message" || field === "text" || field === "object") parts.push(String(value));
    else if (field.endsWith("_us")) parts.push(time(Number(value)));
    else if (typeof value === "string") parts.push(value);
    else if (typeof value === "number") parts.push(`${field.replaceAll("_", " ")} ${count(value)}`);
    else if (Array.isArray(value)) parts.push(counted(value.length, field.replace(/s$/, "")));
  }
  return parts.join(" ");
}
