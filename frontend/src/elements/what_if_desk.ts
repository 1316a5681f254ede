/** What a what-if is about: the stack of edits, the question, the answer, and what it paints on the map. */

import { whatIf } from "../api/plans";
import type { Ask, Edit, WhatIf } from "../api/plans";
import { ApiError } from "../api/problem";
import type { FieldError, NodeItem } from "../api/types";
import type { GlyphName } from "../base/glyphs";
import { ClusterModel } from "../trace/cluster_model";
import { EditStack, fromFragment, toFragment } from "../trace/edit_stack";
import type { EditDesk } from "./edit_stack_view";
import type { SpRun } from "./sp-run";

export interface Mark {
  glyph: GlyphName;
  reason: string;
}

export class WhatIfDesk implements EditDesk {
  readonly stack: EditStack;
  ask: Ask = { ask: "continue" };
  answer: WhatIf | null = null;
  problem = "";
  errors: FieldError[] = [];
  busy = false;
  /** How long the last answer took, in milliseconds. */
  took = 0;
  marks: ReadonlyMap<string, Mark> = new Map();
  private readonly sentences = new WeakMap<Edit, string>();
  private base: ClusterModel | null = null;
  private asked = new AbortController();

  constructor(private readonly run: SpRun) {
    this.stack = new EditStack(fromFragment(location.hash));
  }

  /** Changes the stack and asks anew. */
  change(how: (stack: EditStack) => void): void {
    how(this.stack);
    history.replaceState(history.state, "", location.pathname + location.search + toFragment(this.stack.entries));
    this.run.touch();
    void this.evaluate();
  }

  askFor(ask: Ask): void {
    this.ask = ask;
    void this.evaluate();
  }

  /** An edit in words: the core's, once it has read it. */
  sentenceOf(edit: Edit): string {
    return this.sentences.get(edit) ?? provisional(edit);
  }

  /** What is wrong with the n-th active edit, or nothing. */
  complaintOf(active: number): string {
    const refused = this.answer?.changes.refused.find((one) => one.edit === active + 1);
    const wrong = this.errors.find((error) => error.field?.startsWith(`edits[${active}]`));
    return refused?.message ?? wrong?.message ?? "";
  }

  async evaluate(): Promise<void> {
    this.asked.abort();
    const asked = (this.asked = new AbortController());
    const edits = this.stack.active;
    const began = performance.now();
    this.busy = true;
    this.run.touch();
    try {
      const answer = await whatIf(this.run.clusterId, edits, this.ask, asked.signal);
      if (asked.signal.aborted) return;
      this.took = performance.now() - began;
      this.problem = "";
      this.errors = [];
      answer.sentences.forEach((sentence, at) => this.sentences.set(edits[at]!, sentence));
      this.answer = answer;
      this.base ??= this.run.model;
      this.marks = marksOf(answer, this.base);
      this.run.show(new ClusterModel(answer.nodes, answer.pods, this.run.store));
    } catch (error) {
      if (asked.signal.aborted) return;
      this.problem = error instanceof ApiError ? error.message : "The answer could not be read.";
      this.errors = error instanceof ApiError ? error.errors : [];
    }
    this.busy = false;
    this.run.touch();
  }
}

function provisional(edit: Edit): string {
  const what = [edit["object"], ...((edit["nodes"] as string[] | undefined) ?? []), edit["zone"], edit["like"]].filter(Boolean).join(", ");
  return what ? `${edit.kind} ${what}` : edit.kind;
}

/** What changed on each node, in few words. */
function marksOf(answer: WhatIf, base: ClusterModel | null): Map<string, Mark> {
  const { changes } = answer;
  const came = new Map<string, number>();
  const left = new Map<string, number>();
  const add = (to: Map<string, number>, node: string) => node && to.set(node, (to.get(node) ?? 0) + 1);
  for (const moved of changes.moved) {
    add(left, moved.before);
    add(came, moved.after);
  }
  for (const placed of [...changes.rescued, ...changes.new]) add(came, placed.node);
  const known = new Map((base?.nodes ?? []).flatMap((node) => (node ? [[node.name, node] as const] : [])));
  const places = new Map<string, string>((base?.pods ?? []).flatMap((pod) => (pod?.node ? [[`${pod.namespace}/${pod.name}`, pod.node] as [string, string]] : [])));
  for (const pod of [...changes.gone, ...changes.newly_pending.map((one) => one.pod)]) add(left, places.get(pod) ?? "");
  const marks = new Map<string, Mark>();
  for (const node of answer.nodes) {
    const words = [...stateWords(node, known.get(node.name))];
    if (came.has(node.name)) words.push(`+${came.get(node.name)}`);
    if (left.has(node.name)) words.push(`−${left.get(node.name)}`);
    if (words.length) marks.set(node.name, { glyph: "changed", reason: words.join(", ") });
  }
  return marks;
}

function* stateWords(node: NodeItem, before: NodeItem | undefined): Generator<string> {
  if (!before) {
    yield "new";
    return;
  }
  if (node.unschedulable !== before.unschedulable) yield node.unschedulable ? "cordoned" : "uncordoned";
  const taints = (item: NodeItem) => item.taints.map((taint) => `${taint.key}=${taint.value ?? ""}:${taint.effect}`).sort();
  if (taints(node).join() !== taints(before).join()) yield "other taints";
  if (!isSame(node.labels, before.labels)) yield "other labels";
  if (!isSame(node.allocatable, before.allocatable)) yield "other size";
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
