/** What can be done with what is selected: one node, one pod, or several at once. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { Asked } from "../api/asked";
import type { KubeObject } from "../api/objects";
import { objectPath } from "../api/objects";
import type { Ask, Edit } from "../api/plans";
import type { NodeItem, PodItem } from "../api/types";
import { counted, podName } from "../base/format";
import { keyMap } from "../base/keys";
import { podKey } from "../trace/cluster_model";
import { siblings, workloadOf } from "../trace/workload";
import { act } from "./edit_forms";
import { RunView, nameText } from "./light";
import { nodeActions } from "./node_actions";
import { pinnedElsewhere } from "./pin";
import { podActions } from "./pod_actions";
import { selectionActions } from "./selection_actions";
import type { WhatIfDesk } from "./what_if_desk";

interface Page {
  results: { namespace: string; name: string }[];
  next: string | null;
}

class SpChange extends RunView {
  private readonly objects = new Asked<KubeObject>(() => this.requestUpdate());
  private readonly resources = new Asked<Page>(() => this.requestUpdate());
  private container = "";
  private containerOf = "";
  private forget: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.forget = keyMap.add(
      { keys: "s", label: "select several", group: "What if", run: () => this.several() },
      { keys: "shift+escape", label: "select nothing", group: "What if", run: () => this.clear() },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  protected override render(): unknown {
    const { desk, run } = this.run.desk ? { desk: this.run.desk, run: this.run } : { desk: null, run: null };
    if (!desk || !run.model) return nothing;
    const { nodes, pods } = run.model;
    const node = run.node === null ? undefined : nodes[run.store.words.nodes.find(run.node)];
    const pod = run.pod === null ? undefined : pods[run.store.words.pods.find(run.pod)];
    return html`<datalist id="nodes-of-cluster">${nodes.length <= 1000 ? nodes.map((each) => (each ? html`<option value=${each.name}></option>` : nothing)) : nothing}</datalist>
      ${desk.selection.size > 0 ? this.selected(desk) : pod && (run.tab === "pod" || !node) ? this.pod(desk, pod) : node ? this.node(desk, node) : this.none(desk)}`;
  }

  private head(title: unknown, tools: unknown): TemplateResult {
    return html`<header class="edits-head">
      <h2 class="sheet-title">${title}</h2>
      <div class="edits-tools">${tools}</div>
    </header>`;
  }

  private severalButton(desk: WhatIfDesk): TemplateResult {
    return html`<button type="button" class="button small" aria-pressed=${desk.selection.several} title="Each click adds to the selection (s); ctrl or shift do so too" @click=${() => this.several()}>Several</button>`;
  }

  private none(desk: WhatIfDesk): TemplateResult {
    return html`${this.head("Change", this.severalButton(desk))}
      <p class="edit-hint">Choose a node or a pod on the map or in the table${desk.selection.several ? ": each click adds one" : ""}.</p>`;
  }

  private selected(desk: WhatIfDesk): TemplateResult {
    const { run } = this;
    const { selection } = desk;
    const items = (run.model!.pods.filter((pod) => pod) as PodItem[]).filter((pod) => selection.pods.has(podKey(pod)));
    const nodes = (run.model!.nodes.filter((node) => node) as NodeItem[]).filter((node) => selection.nodes.has(node.name));
    const asked = (run.model!.pods.filter((pod) => pod) as PodItem[]).filter((pod) => selection.pods.has(podKey(pod)) || (pod.node && selection.nodes.has(pod.node)));
    const words = [nodes.length ? counted(nodes.length, "node") : "", items.length ? counted(items.length, "pod") : ""].filter(Boolean).join(", ");
    return html`${this.head(words, html`${this.severalButton(desk)}<button type="button" class="button small" @click=${() => this.clear()}>Deselect</button>`)}
      <div class="edit-actions" role="group" aria-label="Change ${words}">
        ${selectionActions(
          { selection, nodes, pods: items, asked },
          (...edits: Edit[]) => desk.change((stack) => stack.add(...edits)),
          (ask: Ask) => desk.askFor(ask),
          () => {
            selection.version += 1;
            run.touch();
          },
        )}
      </div>`;
  }

  private node(desk: WhatIfDesk, node: NodeItem): TemplateResult {
    const { run } = this;
    const pods = (run.model!.pods.filter((pod) => pod?.node === node.name) as PodItem[]).map(podKey);
    return html`${this.head(nameText(node.name), this.tools(desk, `Node/${node.name}`))}
      <div class="edit-actions" role="group" aria-label="Change ${node.name}">
        ${nodeActions(node, run.model!.nodes, (...edits) => desk.change((stack) => stack.add(...edits)))}
        ${pods.length ? html`<div class="edit-buttons">${act(`Reschedule its ${counted(pods.length, "pod")}`, "As if they had no node", () => desk.askFor({ ask: "reschedule", nodes: [node.name] }))} ${act("Select its pods", "To do something with some of them", () => this.choose("pods", pods))}</div>` : nothing}
      </div>`;
  }

  private pod(desk: WhatIfDesk, pod: PodItem): TemplateResult {
    const { run } = this;
    const key = podKey(pod);
    if (this.containerOf !== key) this.container = "";
    this.containerOf = key;
    const known = desk.isStored(key) ? this.objects.want(objectPath(run.clusterId, `Pod/${key}`, run.revision)) : null;
    const classes = this.resources.want(`clusters/${run.clusterId}/resources?kind=PriorityClass&limit=100`);
    const workload = this.workload(pod);
    const subject = {
      pod,
      object: known?.state === "ready" ? known.answer : null,
      classes: classes.state === "ready" ? classes.answer.results.map((one) => one.name) : [],
      nodes: [],
      container: this.container,
      workload,
      asked: desk.requestsAsked(workload || `Pod/${key}`, this.container),
    };
    const deeds = {
      add: (...edits: Edit[]) => desk.change((stack) => stack.add(...edits)),
      tune: (edit: Edit, movement: symbol) => desk.tune(edit, movement),
      reschedule: () => desk.askFor({ ask: "reschedule", pods: [key] }),
      ...(desk.isStored(key) ? { put: (node: string) => void pinnedElsewhere(desk, key, node) } : {}),
      choose: (container: string) => {
        this.container = container;
        this.requestUpdate();
      },
    };
    return html`${this.head(nameText(key, podName(key)), this.tools(desk, `Pod/${key}`))}
      <div class="edit-actions" role="group" aria-label="Change ${key}">
        ${podActions(subject, deeds, siblings(run.model!.pods, pod))}
        <div class="edit-buttons">
          <span class="quiet">Select all of</span>
          ${pod.owner ? act(workload.split("/").slice(-1)[0] || pod.owner.split("/")[1]!, `All pods of ${pod.owner}`, () => this.chooseAlike(pod, (each) => each.owner === pod.owner && each.namespace === pod.namespace)) : nothing}
          ${act(pod.namespace, `All pods of the namespace ${pod.namespace}`, () => this.chooseAlike(pod, (each) => each.namespace === pod.namespace))}
          ${pod.node ? act(pod.node, `All pods on ${pod.node}`, () => this.chooseAlike(pod, (each) => each.node === pod.node)) : nothing}
        </div>
      </div>`;
  }

  /** A pod's workload, if the cluster has it: of a dump of pods alone nothing could be scaled. */
  private workload(pod: PodItem): string {
    const workload = workloadOf(pod);
    const [kind, namespace, name] = workload.split("/");
    if (!workload) return "";
    const known = this.resources.want(`clusters/${this.run.clusterId}/resources?kind=${kind}&limit=5000`);
    if (known.state !== "ready" || known.answer.next) return known.state === "failed" ? "" : workload;
    return known.answer.results.some((one) => one.name === name && one.namespace === namespace) ? workload : "";
  }

  private tools(desk: WhatIfDesk, object: string): TemplateResult {
    return html`${this.severalButton(desk)}${desk.isStored(object.slice(object.indexOf("/") + 1)) ? html`<button type="button" class="button small" title="Edit it as YAML or by a form" @click=${() => void desk.editor.object(object)}>Edit</button>` : nothing}`;
  }

  private chooseAlike(_pod: PodItem, is: (pod: PodItem) => boolean): void {
    this.choose("pods", (this.run.model!.pods.filter((each) => each && is(each)) as PodItem[]).map(podKey));
  }

  private choose(kind: "nodes" | "pods", names: string[]): void {
    this.run.desk!.selection.add(kind, names);
    this.run.touch();
  }

  private several(): void {
    const { desk } = this.run;
    if (!desk) return;
    desk.selection.several = !desk.selection.several;
    this.run.touch();
  }

  private clear(): void {
    this.run.desk?.selection.clear();
    this.run.touch();
  }
}

customElements.define("sp-change", SpChange);
