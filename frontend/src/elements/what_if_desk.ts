/** What a what-if is about: the stack of edits, the question, what is selected, the answer, and what it paints on the map. */

import { cancelJob, whatIf } from "../api/plans";
import type { KubeObject } from "../api/objects";
import type { Ask, Edit, WhatIf } from "../api/plans";
import { ApiError } from "../api/problem";
import type { FieldError, JobInfo, NodeItem, PodItem } from "../api/types";
import { provisionalWords } from "../trace/edit_words";
import { ClusterModel, podKey } from "../trace/cluster_model";
import { NO_DIFFERENCE, differenceOf, overlaid } from "../trace/difference";
import type { Difference } from "../trace/difference";
import { EditStack, askFromFragment, fromFragment, toFragment, unreadOf } from "../trace/edit_stack";
import { Selection } from "../trace/selection";
import type { EditDesk } from "./edit_stack_view";
import { DeskEditor } from "./desk_editor";
import type { SpRun } from "./sp-run";

interface Base {
  nodes: NodeItem[];
  pods: PodItem[];
}

/** So long a slider's last answer is waited for before a newer question takes its place. */
const PATIENCE_MS = 250;

export class WhatIfDesk implements EditDesk {
  readonly stack: EditStack;
  readonly selection = new Selection();
  ask: Ask;
  /** What of the page's address could not be read, until something is changed. */
  unread: string;
  answer: WhatIf | null = null;
  difference: Difference = NO_DIFFERENCE;
  problem = "";
  errors: FieldError[] = [];
  busy = false;
  /** How far an answer is that takes long. */
  job: JobInfo | null = null;
  /** How long the last answer took, in milliseconds. */
  took = 0;
  /** Which edit is open to be changed. */
  opened: number | null = null;
  readonly editor: DeskEditor = new DeskEditor(this);
  /** Told when the difference is there to be painted. */
  readonly answered = new EventTarget();
  private readonly series = crypto.randomUUID?.() ?? String(Math.random());
  private readonly sentences = new WeakMap<Edit, string>();
  private base: Base | null = null;
  private asked = new AbortController();
  private askedAt = 0;
  private waiting = 0;
  private stored: Set<string> | null = null;

  constructor(private readonly run: SpRun) {
    this.stack = new EditStack(fromFragment(location.hash));
    this.ask = askFromFragment(location.hash);
    this.unread = unreadOf(location.hash);
  }

  /** The cluster as it is; null until it was read. */
  get cluster(): Base | null {
    if (!this.base && this.run.model) {
      const { nodes, pods } = this.run.model;
      this.base = { nodes: nodes.filter((node) => node !== undefined), pods: pods.filter((pod) => pod !== undefined) };
    }
    return this.base;
  }

  /** Whether the answer is about another revision than the page shows. */
  get isOutdated(): boolean {
    return !!this.answer && !!this.revision && this.answer.revision !== this.revision;
  }

  /** Opens an edit to be changed: manifests in the editor, all else by its fields. */
  open(index: number | null): void {
    const edit = index === null ? undefined : this.stack.entries[index]?.edit;
    if (edit?.kind === "apply") this.editor.applied(index!, edit["objects"] as KubeObject[]);
    else this.opened = index;
    this.run.touch();
  }

  /** Whether the cluster itself has a node or a pod of this name ("namespace/name"). */
  isStored(name: string): boolean {
    this.stored ??= new Set([...(this.cluster?.nodes.map((node) => node.name) ?? []), ...(this.cluster?.pods.map(podKey) ?? [])]);
    return this.stored.has(name);
  }

  /** What the last edits on the stack ask of a container of an object, by resource. */
  requestsAsked(object: string, container: string): Record<string, string> {
    const edits = this.stack.active.filter((edit) => edit.kind === "setRequests" && edit["object"] === object && (edit["container"] ?? "") === container);
    return Object.assign({}, ...edits.map((edit) => edit["requests"])) as Record<string, string>;
  }

  /** Has the views drawn again. */
  touch(): void {
    this.run.touch();
  }

  get clusterId(): string {
    return this.run.clusterId;
  }

  get revision(): string | undefined {
    return this.run.revision;
  }

  /** Says what went wrong beside the answer. */
  complain(problem: string): void {
    this.problem = problem;
    this.run.touch();
  }

  /** Changes the stack and asks anew. */
  change(how: (stack: EditStack) => void): void {
    how(this.stack);
    this.note();
    void this.evaluate();
  }

  /** Changes the stack while a slider moves: an answer that is due soon is waited for, so that something follows the slider. */
  tune(edit: Edit, movement: symbol): void {
    this.stack.tune(edit, movement);
    this.note();
    if (!this.busy) return void this.evaluate();
    this.waiting ||= window.setTimeout(() => void this.evaluate(), Math.max(0, this.askedAt + PATIENCE_MS - performance.now()));
  }

  askFor(ask: Ask): void {
    this.ask = ask;
    this.note();
    void this.evaluate();
  }

  /** Writes the stack and the question into the address, so that it can be shared. */
  private note(): void {
    this.unread = "";
    history.replaceState(history.state, "", location.pathname + location.search + toFragment(this.stack.entries, this.ask));
    this.run.touch();
  }

  /** An edit in words: the core's, once it has read it. */
  sentenceOf(edit: Edit): string {
    return this.sentences.get(edit) ?? provisionalWords(edit);
  }

  /** What is wrong with the n-th active edit, or nothing. */
  complaintOf(active: number): string {
    const refused = this.answer?.changes.refused.find((one) => one.edit === active + 1);
    const wrong = this.errors.find((error) => error.field === `edits[${active}]` || error.field?.startsWith(`edits[${active}].`));
    return refused?.message ?? (wrong ? [wrong.field?.replace(/^edits\[\d+\]\.?/, ""), wrong.message].filter(Boolean).join(": ") : "");
  }

  /** Drops the question that is being answered; the last answer stays. */
  async cancel(): Promise<void> {
    const { job } = this;
    this.asked.abort();
    this.busy = false;
    this.job = null;
    this.problem = "It was stopped before there was an answer.";
    this.run.touch();
    if (job) await cancelJob(job.id).catch(() => undefined);
  }

  async evaluate(): Promise<void> {
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.asked.abort();
    const asked = (this.asked = new AbortController());
    const edits = this.stack.active;
    this.askedAt = performance.now();
    this.busy = true;
    this.job = null;
    this.run.touch();
    try {
      const answer = await whatIf(this.run.clusterId, edits, this.ask, this.series, asked.signal, (job) => this.learn(job, asked));
      if (asked.signal.aborted) return;
      this.take(answer, edits);
    } catch (error) {
      if (asked.signal.aborted) return;
      this.problem = error instanceof ApiError ? error.message : "The answer could not be read.";
      this.errors = error instanceof ApiError ? error.errors : [];
    }
    this.busy = false;
    this.job = null;
    this.run.touch();
    if (this.waiting) void this.evaluate();
  }

  private learn(job: JobInfo, asked: AbortController): void {
    if (asked.signal.aborted) return;
    this.job = job;
    this.run.touch();
  }

  private take(answer: WhatIf, edits: readonly Edit[]): void {
    this.took = performance.now() - this.askedAt;
    this.problem = "";
    this.errors = [];
    answer.sentences.forEach((sentence, at) => this.sentences.set(edits[at]!, sentence));
    const base = this.cluster!;
    const shown = overlaid(base, answer);
    this.answer = answer;
    this.difference = differenceOf(answer, base);
    this.run.show(new ClusterModel(shown.nodes, shown.pods, this.run.store));
    this.selection.keep(new Set(shown.nodes.map((node) => node.name)), new Set(shown.pods.map(podKey)));
    requestAnimationFrame(() => requestAnimationFrame(() => this.answered.dispatchEvent(new Event("painted"))));
  }
}
