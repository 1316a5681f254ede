/** Scenarios that are kept by name. */

import { send } from "./client";
import type { Ask, Edit } from "./plans";

export interface ScenarioItem {
  id: string;
  name: string;
  edits: Edit[];
  question: Ask | null;
}

/** The newest ones. */
export async function scenarios(): Promise<ScenarioItem[]> {
  const page = (await (await send("scenarios?limit=100")).json()) as { results: ScenarioItem[] };
  return page.results;
}

export async function keepScenario(name: string, edits: readonly Edit[], question: Ask): Promise<ScenarioItem> {
  const body = JSON.stringify({ name, edits, question });
  return (await (await send("scenarios", { method: "POST", headers: { "Content-Type": "application/json" }, body })).json()) as ScenarioItem;
}
