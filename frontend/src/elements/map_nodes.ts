/** Nodes as elements: cards with their pods as slices. */

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { TemplateResult } from "lit";
import { counted, percent, podName } from "../base/format";
import { podKey } from "../trace/cluster_model";
import { PodState } from "../trace/pod_columns";
import { glyph, nameText } from "./light";
import { cssPaint } from "./map_scene";
import type { MapScene, Slice } from "./map_scene";
import { choose, dropPod, liftPod } from "./selecting";
import { styled } from "./styled";

const LEAST_LENGTH = 0.14;
const NARROWEST = 0.004;

/** What a node's element depends on: where none of it has changed it is not drawn again. */
function inputs(scene: MapScene, node: number): unknown[] {
  const verdict = scene.verdict(node);
  const { run, settings } = scene;
  return [
    scene.load.print[node],
    verdict?.glyph,
    verdict?.reason,
    run.node === scene.name(node),
    run.pod,
    settings.resource,
    settings.colour,
    scene.matches[node],
    settings.colour === "stranded" ? scene.roomLeft?.stranded[node] : 0,
    run.model?.version,
    run.desk?.difference,
    run.desk?.selection.version,
  ];
}

export function nodeList(scene: MapScene, nodes: readonly number[]): TemplateResult {
  return html`<ul class="nodes nodes-card">
    ${repeat(
      nodes,
      (node) => node,
      (node) => guard(inputs(scene, node), () => card(scene, node)),
    )}
  </ul>`;
}

function classes(scene: MapScene, node: number): string {
  const verdict = scene.verdict(node);
  const away = scene.matches[node] ? "" : "faded";
  const { run } = scene;
  const lost = scene.model.isLost(node) ? "node-lost" : "";
  const was = run.pod !== null && run.desk?.difference.from.get(run.pod) === scene.name(node) ? "was-here" : "";
  return `node ${verdict ? `v-${verdict.glyph}` : ""} ${away} ${scene.isPicked(node) ? "picked" : ""} ${lost} ${was}`;
}

function marks(scene: MapScene, node: number): unknown {
  const item = scene.model.nodes[node];
  if (!item) return nothing;
  return html`
    ${item.ready === false ? html`<span class="mark mark-lost" title="Its Ready condition is False or Unknown: its pods are not counted as running">not ready</span>` : nothing}
    ${item.unschedulable ? html`<span class="mark" title="cordoned: spec.unschedulable">cordoned</span>` : nothing}
    ${item.taints.length
      ? html`<span class="mark" title=${item.taints.map((taint) => `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`).join("\n")}
          >${counted(item.taints.length, "taint")}</span
        >`
      : nothing}
  `;
}

function card(scene: MapScene, node: number): TemplateResult {
  const name = scene.name(node);
  const verdict = scene.verdict(node);
  const slices = scene.slices(node);
  const drop = scene.run.desk ? dropPod(scene.run.desk, name) : null;
  return html`<li class=${classes(scene, node)} @dragover=${drop?.over ?? nothing} @dragleave=${drop?.leave ?? nothing} @drop=${drop?.drop ?? nothing}>
    <button type="button" class="node-name" data-node=${name} title=${name} aria-pressed=${scene.run.node === name || scene.isPicked(node)} @click=${(event: MouseEvent) => choose(scene.run, "nodes", name, event)}>
      ${verdict ? glyph(verdict.glyph, verdict.reason || undefined) : nothing}
      ${nameText(name, scene.shortName(node))}
      <span class="aside">${scene.allocatable[node] ? percent(scene.share(node)) : "–"}</span>
    </button>
    ${bar(scene, node, slices)}
    <p class="node-foot">
      ${verdict?.reason
        ? html`<span class="why" title=${verdict.reason}>${verdict.reason}</span>`
        : html`<span class="quiet">${counted(scene.load.pods[node]!, "pod")}</span>${marks(scene, node)}`}
    </p>
  </li>`;
}

function bar(scene: MapScene, node: number, slices: Slice[]): TemplateResult {
  const all = scene.allocatable[node] ?? 0;
  const length = all > 0 ? Math.max(LEAST_LENGTH, all / scene.largest) : LEAST_LENGTH;
  return html`<div class="room-bar" ${styled({ width: percentOf(length) })} title=${scene.usage(node)}>
    ${repeat(
      slices,
      (slice) => slice.pod,
      (slice) => sliceButton(scene, slice),
    )}
    ${leftPods(scene, node, all)} ${strandedPart(scene, node)}
  </div>`;
}

/** Pods that a what-if takes from this node, where they were. */
function leftPods(scene: MapScene, node: number, all: number): unknown {
  const left = scene.run.desk?.difference.left.get(scene.name(node));
  if (!left || all <= 0) return nothing;
  const { resource } = scene.settings;
  return left.map((pod) => {
    const share = (resource === "pods" ? 1 : (pod.requests[resource] ?? 0)) / all;
    return html`<i class="slice slice-left" ${styled({ width: percentOf(Math.max(NARROWEST, share)) })} title="${podKey(pod)} was here"></i>`;
  });
}

/** Free room of no use to the pod looked at, hatched at the end of the bar. */
function strandedPart(scene: MapScene, node: number): unknown {
  const room = scene.settings.colour === "stranded" ? scene.roomLeft : null;
  const all = scene.allocatable[node] ?? 0;
  if (!room || !all || !room.stranded[node]) return nothing;
  return html`<i class="stranded" ${styled({ width: percentOf(room.stranded[node]! / all) })}></i>`;
}

const percentOf = (share: number): string => `${(share * 100).toFixed(2)}%`;

function sliceButton(scene: MapScene, slice: Slice): TemplateResult {
  const { run } = scene;
  const key = run.store.words.pods.name(slice.pod);
  const kind = slice.state === -1 ? "victim" : slice.state === PodState.BOUND ? "bound" : "assumed";
  const came = scene.cameBy(key);
  const from = run.desk?.difference.from.get(key);
  const chosen = run.pod === key || run.desk?.selection.pods.has(key);
  return html`<button
    type="button"
    tabindex="-1"
    class="slice slice-${kind} ${came ? "slice-came" : ""} ${chosen ? "slice-mine" : ""}"
    ${styled({ width: percentOf(Math.max(NARROWEST, slice.share)), "background-color": cssPaint(slice.paint) })}
    data-travel=${key}
    data-travel-label=${podName(key)}
    title=${came ? `${key}: ${came}${from ? `, was on ${from}` : ""}` : key}
    aria-label=${key}
    draggable=${run.desk ? "true" : nothing}
    @dragstart=${run.desk ? (event: DragEvent) => liftPod(event, key) : nothing}
    @click=${(event: MouseEvent) => choose(run, "pods", key, event)}
  ></button>`;
}
