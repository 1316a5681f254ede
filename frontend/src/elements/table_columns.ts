/** What the tables of nodes and pods show, and how a column sorts. */

import { html, nothing } from "lit";
import { count, exact, percent, podName, quantity } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { ZONE_LABEL } from "../trace/hierarchy";
import { PodState } from "../trace/pod_columns";
import { ON_LOST_NODE, shownState } from "../trace/standing";
import { glyph, nameText } from "./light";
import type { MapScene } from "./map_scene";
import { repairLink } from "./repair_link";

export interface Column {
  key: string;
  title: string;
  numeric?: boolean;
  value: (id: number) => string | number;
  cell: (id: number) => unknown;
}

export const STATE_WORDS: Record<number, [GlyphName, string]> = {
  [PodState.ABSENT]: ["absent", "pending"],
  [PodState.ACTIVE]: ["active", "active"],
  [PodState.BACKOFF]: ["backoff", "backoff"],
  [PodState.UNSCHEDULABLE]: ["unschedulable", "unschedulable"],
  [PodState.GATED]: ["gated", "gated"],
  [PodState.IN_FLIGHT]: ["flight", "in a cycle"],
  [PodState.WAITING]: ["assumed", "waits for a permit"],
  [PodState.ASSUMED]: ["assumed", "being bound"],
  [PodState.BOUND]: ["bound", "bound"],
  [PodState.GONE]: ["victim", "gone"],
  [PodState.FINISHED]: ["finished", "finished"],
  [PodState.DELETING]: ["victim", "being deleted"],
  [ON_LOST_NODE]: ["lost", "on a lost node"],
};

export function nodeColumns(scene: MapScene): Column[] {
  const { run, model } = scene;
  const state = run.store.state;
  const resource = (name: string): Column => {
    const used = model.used(name, state);
    const all = model.allocatableColumn(name);
    const share = (node: number) => (all[node] ? used[node]! / all[node]! : 0);
    return {
      key: name,
      title: name,
      numeric: true,
      value: share,
      cell: (node) => html`<span title="${exact(name, used[node] ?? 0)} of ${exact(name, all[node] ?? 0)}"
        >${quantity(name, used[node] ?? 0)} <span class="quiet">/ ${quantity(name, all[node] ?? 0)}</span> <span class="share">${all[node] ? percent(share(node)) : "–"}</span></span
      >`,
    };
  };
  const item = (node: number) => model.nodes[node]!;
  const verdict = (node: number) => scene.verdict(node);
  const columns: Column[] = [
    {
      key: "name",
      title: "Node",
      value: (node) => item(node).name,
      cell: (node) => html`${verdict(node) ? glyph(verdict(node)!.glyph, verdict(node)!.glyph) : nothing}${nameText(item(node).name)}`,
    },
    { key: "zone", title: "Zone", value: (node) => item(node).labels[ZONE_LABEL] ?? "", cell: (node) => item(node).labels[ZONE_LABEL] ?? html`<span class="quiet">–</span>` },
    { ...resource("pods"), title: "pods" },
    resource("cpu"),
    resource("memory"),
    {
      key: "taints",
      title: "Taints",
      value: (node) => item(node).taints.length + (item(node).unschedulable ? 1 : 0),
      cell: (node) => taintWords(item(node).unschedulable, item(node).taints),
    },
  ];
  if (scene.judged) {
    columns.splice(1, 0, { key: "verdict", title: "Verdict", value: (node) => verdict(node)?.reason || verdict(node)?.glyph || "", cell: (node) => html`<span class="why">${verdict(node)?.reason || verdict(node)?.glyph || ""}</span>` });
  }
  return columns;
}

function taintWords(cordoned: boolean, taints: readonly { key: string; effect: string }[]): unknown {
  const words = [...(cordoned ? ["cordoned"] : []), ...taints.map((taint) => `${taint.key}:${taint.effect}`)];
  return words.length ? html`<span class="mono why" title=${words.join("\n")}>${words.join(", ")}</span>` : html`<span class="quiet">–</span>`;
}

export function podColumns(scene: MapScene): Column[] {
  const { run, model } = scene;
  const { pods } = run.store.state;
  const { words } = run.store;
  const asked = (name: string): Column => ({
    key: name,
    title: name,
    numeric: true,
    value: (pod) => model.pods[pod]?.requests[name] ?? 0,
    cell: (pod) => {
      const amount = model.pods[pod]?.requests[name] ?? 0;
      return amount ? html`<span title=${exact(name, amount)}>${quantity(name, amount)}</span>` : html`<span class="quiet">–</span>`;
    },
  });
  const nodeName = (pod: number) => (pods.nodeOf(pod) >= 0 ? words.nodes.name(pods.nodeOf(pod)) : "");
  const state = (pod: number) => STATE_WORDS[shownState(model, run.store.state, pod)] ?? STATE_WORDS[0]!;
  return [
    { key: "name", title: "Pod", value: (pod) => words.pods.name(pod), cell: (pod) => nameText(words.pods.name(pod), podName(words.pods.name(pod))) },
    { key: "state", title: "State", value: (pod) => pods.state[pod]!, cell: (pod) => html`${glyph(state(pod)[0])} ${state(pod)[1]} ${!run.runId && !nodeName(pod) ? repairLink(run, words.pods.name(pod), "what would help?") : nothing}` },
    { key: "node", title: "Node", value: nodeName, cell: (pod) => (nodeName(pod) ? nameText(nodeName(pod)) : html`<span class="quiet">–</span>`) },
    { key: "priority", title: "Priority", numeric: true, value: (pod) => pods.priority[pod]!, cell: (pod) => count(pods.priority[pod]!) },
    asked("cpu"),
    asked("memory"),
    { key: "owner", title: "Owner", value: (pod) => model.pods[pod]?.owner ?? "", cell: (pod) => html`<span class="name" title=${model.pods[pod]?.owner ?? ""}>${model.pods[pod]?.owner || "–"}</span>` },
  ];
}
