/** What is looked at on a run's page, and the page's address, each following the other. */

import { readAddress, writeAddress } from "../base/address";
import type { Address, ViewName } from "../base/address";
import type { RunStore } from "../trace/run_store";

const NOTE_DELAY_MS = 150;

export interface Addressed {
  readonly store: RunStore;
  pod: string | null;
  node: string | null;
  /** Whether all events of the run are here. */
  readonly complete: boolean;
  /** Shows the panel of what the address names. */
  showNamed(): void;
}

export class RunAddress {
  private shown: Record<string, string> = {};
  private noting = 0;
  /** Where the page's first address points, until the playhead stands there. */
  private pending: Address | null = null;

  constructor(private readonly run: Addressed) {}

  start(): void {
    this.pending = readAddress(location.search);
    this.take(this.pending);
    this.follow();
  }

  stop(): void {
    clearTimeout(this.noting);
  }

  /** Goes where the address points, as soon as its cycle is here. */
  follow(): void {
    const wanted = this.pending;
    if (!wanted) return;
    const { store } = this.run;
    const target = wanted.at ?? wanted.cycle;
    const here = wanted.at !== null ? store.lastSeq >= wanted.at : store.cycles.size >= (wanted.cycle ?? 0);
    if (target !== null && !here && !this.run.complete) return;
    this.pending = null;
    this.go(wanted);
  }

  /** After Back or Forward: everything is as that address says. */
  goBack(): void {
    const address = readAddress(location.search);
    this.take(address);
    if (address.at === null && address.cycle === null) this.run.store.follow();
    else this.go(address);
  }

  take(address: Address): void {
    this.run.pod = address.pod;
    this.run.node = address.node;
    this.shown = address.view;
    this.run.showNamed();
  }

  private go({ at, cycle }: Address): void {
    if (at !== null) this.run.store.seek(at);
    else if (cycle !== null) this.run.store.seekCycle(cycle);
  }

  /** Writes what is looked at into the address: a choice at once, a moving playhead when it rests. */
  note(step: boolean): void {
    clearTimeout(this.noting);
    if (step) this.writeDown(true);
    else this.noting = window.setTimeout(() => this.writeDown(false), NOTE_DELAY_MS);
  }

  private writeDown(step: boolean): void {
    const { store, pod, node } = this.run;
    const row = store.cycles.row(store.cycle);
    const atEnd = row ? row.lastSeq === store.state.seq : false;
    const cycle = store.live ? null : store.cycle;
    const at = store.live || atEnd || store.cycle === 0 ? null : store.state.seq;
    writeAddress({ cycle, at, pod, node, view: this.shown }, step);
  }

  /** A panel's setting; null where it is as always. */
  view(name: ViewName): string | null {
    return this.shown[name] ?? null;
  }

  /** Changes settings of panels: null is as always. */
  setView(change: Partial<Record<ViewName, string | null>>): void {
    const next = { ...this.shown, ...change };
    this.shown = Object.fromEntries(Object.entries(next).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  }

  /** Settings of panels, to be written elsewhere. */
  get settings(): Record<string, string> {
    return this.shown;
  }

  copy(other: RunAddress): void {
    this.shown = other.shown;
  }
}
