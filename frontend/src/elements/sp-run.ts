/** Owns a run's store, playhead and selection. Draws nothing; views inside it do. */

import { html } from "lit";
import { api } from "../api/client";
import { CycleDetails } from "../api/cycle_details";
import type { DetailState } from "../api/cycle_details";
import type { TraceEvent } from "../api/events.gen";
import { ApiError } from "../api/problem";
import { RunStream, isTerminal } from "../api/run_stream";
import type { StreamState } from "../api/run_stream";
import type { CycleDetail, RunInfo } from "../api/types";
import { readAddress, writeAddress } from "../base/address";
import type { Address, ViewName } from "../base/address";
import { placesOf, travel } from "../base/flip";
import { RateMeter } from "../base/rate";
import { ClusterModel } from "../trace/cluster_model";
import { RunStore } from "../trace/run_store";
import { RunSeries } from "../trace/series";
import { LightElement } from "./light";
import type { RunView } from "./light";
import { Player } from "./player";
import type { WhatIfDesk } from "./what_if_desk";

/** Above this rate nothing travels any more: rates are shown instead. */
export const CALM_RATE = 20;
/** While events rush in, the page is drawn this seldom: drawing takes the processor from what computes them. */
const RUSHING_DRAW_MS = 200;
/** … and never more than one part in so many of the time. */
const DRAWN_PART = 4;
/** After so long without an event it rushes no more. */
const CALM_AFTER_MS = 1100;
/** Seeks that follow each other so closely are one movement; when it rests all views are drawn. */
const REST_MS = 180;
/** … on a machine that draws slowly. */
const LONGEST_REST_MS = 800;
const DETAIL_DELAY_MS = 90;
const SLOW_DETAIL_DELAY_MS = 450;
const NOTE_DELAY_MS = 150;
const MOVING = new Set(["PodEnqueued", "CycleStarted", "PodAssumed", "PodWaiting", "PodBound"]);

export type Tab = "cycle" | "pod" | "node";

export class SpRun extends LightElement {
  static override properties = { runId: { attribute: "run-id" }, clusterId: { attribute: "cluster-id" }, revision: {}, status: {} };
  declare runId: string | null;
  declare clusterId: string;
  declare revision: string | undefined;
  declare status: string | undefined;

  readonly store = new RunStore();
  readonly series = new RunSeries(this.store);
  readonly rate = new RateMeter();
  readonly player = new Player(this);
  details: CycleDetails | null = null;
  model: ClusterModel | null = null;
  /** The edits of a what-if, on its page. */
  desk: WhatIfDesk | null = null;
  info: Partial<RunInfo> = {};
  stream: StreamState | "none" = "none";
  problem = "";
  pod: string | null = null;
  node: string | null = null;
  tab: Tab = "cycle";
  private shown: Record<string, string> = {};
  private source: RunStream | null = null;
  /** The views inside. */
  readonly views = new Set<RunView>();
  private turn = 0;
  private movedAt = -Infinity;
  private resting = 0;
  private dirty = false;
  private later = 0;
  private calming = 0;
  private drawnAt = 0;
  /** How long the last drawing took, until the next frame could begin. */
  private drawing = 0;
  private wanted = 0;
  private wantedAt = 0;
  private noting = 0;
  private pending: Address | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.pending = readAddress(location.search);
    this.shown = this.pending.view;
    window.addEventListener("popstate", this.goBack);
    if (this.status) this.info.status = this.status as RunInfo["status"];
    if (this.runId) this.listen(this.runId);
    this.takeAddress();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("popstate", this.goBack);
    this.source?.stop();
    this.player.pause();
    clearTimeout(this.noting);
    clearTimeout(this.later);
    clearTimeout(this.calming);
    clearTimeout(this.resting);
  }

  protected override render(): unknown {
    return html``;
  }

  /** True once there is something to draw. */
  get ready(): boolean {
    return this.model !== null;
  }

  get ended(): boolean {
    return isTerminal(this.info.status);
  }

  /** Tells the views, at most once a frame; what was done by hand is shown at once. */
  touch(): void {
    clearTimeout(this.later);
    this.later = 0;
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.dirty = false;
    this.drawnAt = performance.now();
    this.toggleAttribute("data-rushing", this.rushing);
    clearTimeout(this.calming);
    if (this.rushing) this.calming = window.setTimeout(() => this.touch(), CALM_AFTER_MS);
    this.model?.moveTo(this.store.state.seq);
    if (this.moving) this.drawInTurn();
    else for (const view of this.views) view.requestUpdate();
    if (this.moving) return;
    const from = this.drawnAt;
    requestAnimationFrame(() => (this.drawing = performance.now() - from));
  }

  /** A part of the views, so that no frame takes long: each as often as its pace says. */
  private drawInTurn(): void {
    const of = (pace: RunView["pace"]) => [...this.views].filter((view) => view.pace === pace);
    for (const view of of("every")) view.requestUpdate();
    this.turn += 1;
    if (this.turn % 2 === 0) {
      for (const view of of("second")) view.requestUpdate();
      return;
    }
    const waiting = of("turn");
    waiting[((this.turn - 1) / 2) % Math.max(1, waiting.length)]?.requestUpdate();
  }

  /** True while the playhead is drawn along. */
  get moving(): boolean {
    return this.resting !== 0;
  }

  /** Says that the playhead was moved by hand: soon after one move the next is part of the same movement. */
  swept(): void {
    const now = performance.now();
    const rest = Math.min(LONGEST_REST_MS, Math.max(REST_MS, this.drawing * 4));
    const goesOn = now - this.movedAt < rest;
    this.movedAt = now;
    clearTimeout(this.resting);
    this.resting = 0;
    if (goesOn) {
      this.resting = window.setTimeout(() => {
        this.resting = 0;
        this.touch();
      }, rest);
    }
    this.touch();
  }

  /** Tells the views of what came in: while it rushes, a few times a second is all that can be read. */
  private touchSoon(): void {
    if (!this.rushing) this.touch();
    if (this.dirty || this.later) return;
    const rest = Math.max(RUSHING_DRAW_MS, this.drawing * DRAWN_PART) - (performance.now() - this.drawnAt);
    if (rest <= 0) this.touch();
    else this.later = window.setTimeout(() => this.touch(), rest);
  }

  private listen(run: string): void {
    this.details = new CycleDetails(run);
    this.details.addEventListener("detail", () => this.touch());
    this.source = new RunStream(run, {
      events: (batch) => this.take(batch),
      run: (info) => {
        this.learn(info);
      },
      state: (state) => {
        this.stream = state;
        if (state === "ended") this.takeAddress();
        this.touch();
      },
    });
    this.source.start();
  }

  private learn(info: Partial<RunInfo>): void {
    const moved = info.status !== undefined && info.status !== this.info.status;
    this.info = { ...this.info, ...info };
    if (moved) this.touch();
    else this.touchSoon();
    if (moved && info.status === "failed" && !info.errors) void this.askWhy();
  }

  /** The socket says that a run failed; where its input was wrong, the API says too. */
  private async askWhy(): Promise<void> {
    try {
      const { errors, message } = await api.run(this.runId ?? "");
      this.info = { ...this.info, errors, message: message || this.info.message };
      this.touch();
    } catch {
      // The sentence that is there has to do.
    }
  }

  private async load(): Promise<void> {
    try {
      const [nodes, pods] = await Promise.all([api.nodes(this.clusterId, this.revision), api.pods(this.clusterId, this.revision)]);
      this.model = new ClusterModel(nodes, pods, this.store);
      this.problem = "";
    } catch (error) {
      this.problem = error instanceof ApiError ? error.message : "The cluster could not be read.";
    }
    this.touch();
  }

  /** Shows another cluster in place of the one that was read. */
  show(model: ClusterModel): void {
    this.model = model;
    this.touch();
  }

  retry(): void {
    this.problem = "";
    this.touch();
    void this.load();
  }

  private take(batch: TraceEvent[]): void {
    this.rate.add(batch.length, performance.now());
    const moved = this.store.live && this.rate.perSecond(performance.now()) <= CALM_RATE ? movers(batch) : [];
    const isFirst = this.store.lastSeq === 0;
    this.travelling(moved, () => this.store.append(batch), !isFirst && moved.length === 0);
    this.model?.learn(batch, this.store);
    this.takeAddress();
  }

  /** Changes the state and lets the pods named travel to where they then are. */
  travelling(pods: readonly string[], change: () => void, mayWait = false): void {
    const before = pods.length && pods.length <= 12 ? placesOf(pods) : null;
    change();
    if (mayWait) this.touchSoon();
    else this.touch();
    if (before?.size) requestAnimationFrame(() => requestAnimationFrame(() => travel(before)));
  }

  /** Goes where the address points, as soon as its cycle is here. */
  private takeAddress(): void {
    const wanted = this.pending;
    if (!wanted) return;
    const target = wanted.at ?? wanted.cycle;
    const here = wanted.at !== null ? this.store.lastSeq >= wanted.at : this.store.cycles.size >= (wanted.cycle ?? 0);
    this.pod = wanted.pod;
    this.node = wanted.node;
    if (wanted.pod) this.tab = "pod";
    else if (wanted.node) this.tab = "node";
    if (target !== null && !here && this.stream !== "ended") return;
    this.pending = null;
    if (wanted.at !== null) this.store.seek(wanted.at);
    else if (wanted.cycle !== null) this.store.seekCycle(wanted.cycle);
  }

  private readonly goBack = () => {
    const address = readAddress(location.search);
    this.pod = address.pod;
    this.node = address.node;
    this.tab = address.pod ? "pod" : address.node ? "node" : "cycle";
    this.shown = address.view;
    if (address.at !== null) this.store.seek(address.at);
    else if (address.cycle !== null) this.store.seekCycle(address.cycle);
    else this.store.follow();
    this.touch();
  };

  /** Writes what is looked at into the address: a choice at once, a moving playhead when it rests. */
  note(step: boolean): void {
    clearTimeout(this.noting);
    if (step) this.writeDown(true);
    else this.noting = window.setTimeout(() => this.writeDown(false), NOTE_DELAY_MS);
  }

  private writeDown(step: boolean): void {
    const { store } = this;
    const row = store.cycles.row(store.cycle);
    const atEnd = row ? row.lastSeq === store.state.seq : false;
    const cycle = store.live ? null : store.cycle;
    const at = store.live || atEnd || store.cycle === 0 ? null : store.state.seq;
    writeAddress({ cycle, at, pod: this.pod, node: this.node, view: this.shown }, step);
  }

  /** A panel's setting; null where it is as always. */
  view(name: ViewName): string | null {
    return this.shown[name] ?? null;
  }

  /** Changes settings of panels: null is as always. */
  setView(change: Partial<Record<ViewName, string | null>>, step = false): void {
    const next = { ...this.shown, ...change };
    this.shown = Object.fromEntries(Object.entries(next).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
    this.note(step);
    this.touch();
  }

  selectPod(pod: string | null): void {
    this.pod = pod;
    this.tab = pod ? "pod" : this.node ? "node" : "cycle";
    this.note(true);
    this.touch();
  }

  selectNode(node: string | null): void {
    this.node = node;
    this.tab = node ? "node" : this.pod ? "pod" : "cycle";
    this.note(true);
    this.touch();
  }

  showTab(tab: Tab): void {
    this.tab = tab;
    this.touch();
  }

  /** Opens a cycle by choice: the playhead goes to its end. */
  openCycle(cycle: number): void {
    this.player.pause();
    this.store.seekCycle(cycle);
    this.tab = "cycle";
    this.note(true);
    this.touch();
  }

  /** True while cycles come faster than anybody reads: then only what the events say of them is shown. */
  get rushing(): boolean {
    return this.store.live && !this.ended && this.rate.perSecond(performance.now()) > CALM_RATE;
  }

  /** The detail of a cycle; while the playhead runs it is only asked for where it rests. */
  detailOf(cycle: number): DetailState | undefined {
    if (!this.details || cycle < 1) return undefined;
    const known = this.details.peek(cycle);
    if (known || this.rushing || this.moving) return known;
    if (this.wanted !== cycle) {
      this.wanted = cycle;
      clearTimeout(this.wantedAt);
      const delay = this.details.slow ? SLOW_DETAIL_DELAY_MS : DETAIL_DELAY_MS;
      this.wantedAt = window.setTimeout(() => {
        this.wanted = 0;
        this.details?.want(cycle);
      }, delay);
    }
    return { state: "loading", replaying: false };
  }

  /** The cycle whose verdicts the map paints: the selected pod's last one, else the playhead's. */
  get paintedCycle(): number {
    const { store } = this;
    if (this.pod !== null) return store.cycles.lastOf(store.words.pods.find(this.pod), store.state.seq);
    return store.live && !this.ended ? 0 : store.cycle;
  }

  get painted(): CycleDetail | null {
    const cycle = this.paintedCycle;
    const known = this.details?.peek(cycle) ?? this.detailOf(cycle);
    return known?.state === "ready" ? known.detail : null;
  }
}

function movers(batch: readonly TraceEvent[]): string[] {
  const pods = new Set<string>();
  for (const event of batch) if ("pod" in event && MOVING.has(event.type)) pods.add(event.pod);
  return [...pods];
}

customElements.define("sp-run", SpRun);
