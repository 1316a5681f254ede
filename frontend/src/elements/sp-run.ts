/** Owns a run's store, playhead and selection. Draws nothing; views inside it do. */

import { html } from "lit";
import { api } from "../api/client";
import { CycleDetails } from "../api/cycle_details";
import type { DetailState } from "../api/cycle_details";
import type { TraceEvent } from "../api/events.gen";
import { readShared } from "../api/forks";
import { ApiError } from "../api/problem";
import { isAway, serverBack } from "../api/server_back";
import { RunStream, isTerminal } from "../api/run_stream";
import type { StreamState } from "../api/run_stream";
import type { CycleDetail, RunInfo } from "../api/types";
import type { Address, ViewName } from "../base/address";
import { placesOf, travel } from "../base/flip";
import { RateMeter } from "../base/rate";
import { ClusterModel } from "../trace/cluster_model";
import { detailSoFar, soFar } from "../trace/cycle_so_far";
import { RunStore } from "../trace/run_store";
import { RunSeries } from "../trace/series";
import { Drawing } from "./drawing";
import type { Drawable } from "./drawing";
import { LightElement, fire } from "./light";
import { Player } from "./player";
import { RunAddress } from "./run_address";
import { tabOf } from "./tabs";
import type { Tab } from "./tabs";
import type { WhatIfDesk } from "./what_if_desk";
import type { Verdict } from "./map_scene";

/** Above this rate nothing travels any more: rates are shown instead. */
export const CALM_RATE = 20;
const DETAIL_DELAY_MS = 90;
const BESIDE = [1, -1, 2, -2];
const MOVING = new Set(["PodEnqueued", "CycleStarted", "PodAssumed", "PodWaiting", "PodBound"]);

export class SpRun extends LightElement {
  static override properties = {
    runId: { attribute: "run-id" },
    clusterId: { attribute: "cluster-id" },
    revision: {},
    status: {},
    told: { type: Object },
    parentId: { attribute: "parent-id" },
    shared: { type: Number },
    beside: {},
  };
  declare runId: string | null;
  declare clusterId: string;
  declare revision: string | undefined;
  declare status: string | undefined;
  /** What the page knows of a run that has ended before it has read anything. */
  declare told: Partial<RunInfo> | undefined;
  /** What it was forked from, and how many events it has in common with it. */
  declare parentId: string | undefined;
  declare shared: number | undefined;
  /** Which of two runs it is, where two stand side by side: then the page's address is the pair's. */
  declare beside: "before" | "after" | undefined;

  readonly store = new RunStore();
  readonly series = new RunSeries(this.store);
  readonly rate = new RateMeter();
  readonly player = new Player(this);
  private readonly drawing = new Drawing(this);
  private readonly address = new RunAddress(this);
  details: CycleDetails | null = null;
  model: ClusterModel | null = null;
  /** What the map says of nodes by name, where nobody's verdicts are painted. */
  marks: ReadonlyMap<string, Verdict> | null = null;
  /** The edits of a what-if, on its page. */
  desk: WhatIfDesk | null = null;
  info: Partial<RunInfo> = {};
  stream: StreamState | "none" = "none";
  problem = "";
  pod: string | null = null;
  node: string | null = null;
  tab: Tab = "cycle";
  private source: RunStream | null = null;
  private wentOn = false;
  private wanted = 0;
  private wantedAt = 0;
  private prepared = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.beside) window.addEventListener("popstate", this.goBack);
    if (this.status) this.info = { ...this.told, status: this.status as RunInfo["status"] };
    if (this.runId) void this.listen(this.runId);
    if (!this.beside) this.address.start();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("popstate", this.goBack);
    this.source?.stop();
    this.player.pause();
    this.address.stop();
    this.drawing.stop();
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

  /** The views inside. */
  get views(): Set<Drawable> {
    return this.drawing.views;
  }

  /** Tells somebody outside whenever the views are told. */
  watch(watcher: { pace: Drawable["pace"]; requestUpdate(): void }): void {
    this.views.add(watcher);
  }

  /** Tells the views, at most once a frame. */
  touch(): void {
    this.drawing.touch();
  }

  beforeDrawing(): void {
    this.toggleAttribute("data-rushing", this.rushing);
    this.toggleAttribute("data-read", this.complete && this.ready);
    this.model?.moveTo(this.store.state.seq);
  }

  /** True while the playhead is drawn along. */
  get moving(): boolean {
    return this.drawing.moving;
  }

  /** Says that the playhead was moved by hand. */
  swept(): void {
    this.drawing.swept();
  }

  private async listen(run: string): Promise<void> {
    this.details = new CycleDetails(run);
    this.details.addEventListener("detail", () => this.touch());
    const seen = this.parentId && this.shared && !this.ended ? await readShared(this.parentId, this.shared, (batch) => this.take(batch)) : 0;
    if (this.isConnected) this.hear(run, seen);
  }

  private hear(run: string, seen: number): void {
    const listener = {
      events: (batch: TraceEvent[]) => this.take(batch),
      run: (info: Partial<RunInfo>) => this.learn(info),
      state: (state: StreamState) => {
        this.stream = state;
        if (state === "live") serverBack.tell();
        if (state === "ended") this.address.follow();
        this.touch();
      },
    };
    this.source = new RunStream(run, listener, seen);
    this.source.start();
  }

  /** Has a run that was cut short computed to its end, and listens to what is added. */
  async goOn(): Promise<void> {
    const run = this.runId!;
    await api.goOn(run);
    this.wentOn = true;
    this.learn({ status: "pending", message: "", headline: undefined });
    this.store.follow();
    this.hear(run, this.store.lastSeq);
  }

  private learn(info: Partial<RunInfo>): void {
    // What was stored was computed otherwise and dropped: the page begins anew too.
    if (this.wentOn && info.last_seq !== undefined && info.last_seq < this.store.lastSeq) location.reload();
    const moved = info.status !== undefined && info.status !== this.info.status;
    this.info = { ...this.info, ...info };
    if (moved) this.touch();
    else this.drawing.touchSoon();
    const untold = info.status === "failed" ? !info.errors : info.status === "finished" && !this.info.headline;
    if (moved && untold) void this.askWhy();
  }

  /** The stream says that a run has ended; the API says with what, and what was wrong with its input. */
  private async askWhy(): Promise<void> {
    try {
      const { errors, message, headline } = await api.run(this.runId ?? "");
      this.info = { ...this.info, errors, headline, message: message || this.info.message };
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
      if (isAway(error)) serverBack.then(this.loadAgain);
    }
    this.touch();
  }

  private readonly loadAgain = (): void => {
    if (this.isConnected && this.problem) this.retry();
  };

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
    this.address.follow();
  }

  /** Changes the state and lets the pods named travel to where they then are. */
  travelling(pods: readonly string[], change: () => void, mayWait = false): void {
    const before = pods.length && pods.length <= 12 ? placesOf(pods) : null;
    change();
    if (mayWait) this.drawing.touchSoon();
    else this.touch();
    if (before?.size) requestAnimationFrame(() => requestAnimationFrame(() => travel(before)));
  }

  /** Whether all events of the run are here. */
  get complete(): boolean {
    return this.stream === "ended";
  }

  private readonly goBack = () => {
    this.address.goBack();
    this.touch();
  };

  /** Writes what is looked at into the address: a choice at once, a moving playhead when it rests. */
  note(step: boolean): void {
    if (this.beside) fire(this, "looked", { step });
    else this.address.note(step);
  }

  /** Looks at what an address names; the playhead is somebody else's affair. */
  lookAt(address: Address): void {
    this.address.take(address);
    this.touch();
  }

  /** Settings of the panels. */
  get settings(): Record<string, string> {
    return this.address.settings;
  }

  /** Looks at what another run looks at, in the same way. */
  lookAs(other: SpRun): void {
    this.address.copy(other.address);
    this.pod = other.pod;
    this.node = other.node;
    this.touch();
  }

  /** A panel's setting; null where it is as always. */
  view(name: ViewName): string | null {
    return this.address.view(name);
  }

  /** Changes settings of panels: null is as always. */
  setView(change: Partial<Record<ViewName, string | null>>, step = false): void {
    this.address.setView(change);
    this.note(step);
    this.touch();
  }

  selectPod(pod: string | null): void {
    this.pod = pod;
    this.tab = tabOf(this);
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
    this.note(false);
    this.touch();
  }

  /** Opens a cycle by choice: the playhead goes to its end. */
  openCycle(cycle: number): void {
    this.player.pause();
    this.store.seekCycle(cycle);
    this.tab = "cycle";
    this.goAlong();
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
    if (this.rushing || this.moving) return known;
    if (known?.state === "ready") this.prepareBeside(cycle);
    if (known) return known;
    if (this.wanted !== cycle) {
      this.wanted = cycle;
      clearTimeout(this.wantedAt);
      this.wantedAt = window.setTimeout(() => {
        this.wanted = 0;
        this.details?.want(cycle);
      }, DETAIL_DELAY_MS);
    }
    return { state: "loading", replaying: false };
  }

  /** Has the cycles beside the one that is looked at read too, where each has to be computed again: keys step to them. */
  private prepareBeside(cycle: number): void {
    const { details, store } = this;
    if (!details?.slow || cycle !== store.cycle || cycle === this.prepared) return;
    this.prepared = cycle;
    void details.prepare(BESIDE.map((step) => cycle + step).filter((other) => store.cycles.row(other)));
  }

  /** The cycle that cycle, map and pod tell of: the selected pod's last one at the playhead, else the playhead's. */
  get subject(): number {
    const { store } = this;
    return this.pod === null ? store.cycle : store.cycles.lastOf(store.words.pods.find(this.pod), store.state.seq);
  }

  /** The cycle whose verdicts the map paints, 0 for none. */
  get paintedCycle(): number {
    const quiet = this.marks || (this.store.live && !this.ended);
    return this.pod === null && quiet ? 0 : this.subject;
  }

  /** What it looked at, as far as it is decided at the playhead. */
  get painted(): CycleDetail | null {
    // While the playhead is drawn along, cycles that happen to be known must not flash by.
    if (this.moving && this.pod === null) return null;
    const cycle = this.paintedCycle;
    const known = this.details?.peek(cycle) ?? this.detailOf(cycle);
    return known?.state === "ready" ? this.soFar(known.detail) : null;
  }

  /** A cycle's detail without what is not decided at the playhead. */
  soFar(detail: CycleDetail): CycleDetail {
    return detailSoFar(detail, soFar(this.store, detail));
  }

  /** After the playhead moved by cycles: with the cycle's tab open, what is selected is the pod of that cycle. */
  goAlong(): void {
    const row = this.store.cycles.row(this.store.cycle);
    if (this.pod !== null && this.tab === "cycle" && row) this.pod = this.store.words.pods.name(row.pod);
  }
}

function movers(batch: readonly TraceEvent[]): string[] {
  const pods = new Set<string>();
  for (const event of batch) if ("pod" in event && MOVING.has(event.type)) pods.add(event.pod);
  return [...pods];
}

customElements.define("sp-run", SpRun);
