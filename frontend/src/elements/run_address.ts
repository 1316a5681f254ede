/** What is looked at on a run's page, and the page's address, each following the other. */

import { readAddress, writeAddress } from "../base/address";
import type { Address, ViewName } from "../base/address";
import { goTo, isHere, placeOf } from "../trace/place";
import type { RunStore } from "../trace/run_store";
import type { Tab } from "./tabs";
import { isTab, tabOf } from "./tabs";

const NOTE_DELAY_MS = 150;

export interface Addressed {
  readonly store: RunStore;
  pod: string | null;
  node: string | null;
  /** Whether all events of the run are here. */
  readonly complete: boolean;
  tab: Tab;
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

  /** Goes where the address points, as soon as what it names is here. */
  follow(): void {
    const { pending } = this;
    const { store, complete } = this.run;
    if (!pending || !isHere(store, pending, complete)) return;
    this.pending = null;
    if (pending.cycle !== null || pending.at !== null) goTo(store, pending);
  }

  /** After Back or Forward: everything is as that address says. */
  goBack(): void {
    clearTimeout(this.noting);
    this.pending = readAddress(location.search);
    this.take(this.pending);
    if (this.pending.at === null && this.pending.cycle === null) this.run.store.follow();
    this.follow();
  }

  take(address: Address): void {
    this.run.pod = address.pod;
    this.run.node = address.node;
    const { tab, ...shown } = address.view;
    this.shown = shown;
    this.run.tab = isTab(tab) ? tab : tabOf(address);
  }

  /** Writes what is looked at into the address: a choice at once, a moving playhead when it rests. */
  note(step: boolean): void {
    clearTimeout(this.noting);
    if (step) this.writeDown(true);
    else this.noting = window.setTimeout(() => this.writeDown(false), NOTE_DELAY_MS);
  }

  private writeDown(step: boolean): void {
    const { store, pod, node, complete } = this.run;
    // Moved by hand, it no longer waits for what the first address names.
    if (!store.live) this.pending = null;
    const { cycle, at, stop } = this.pending ?? placeOf(store, complete);
    writeAddress({ cycle, at, stop, pod, node, view: this.settings }, step);
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
    const { tab } = this.run;
    return tab === tabOf(this.run) ? this.shown : { ...this.shown, tab };
  }

  copy(other: RunAddress): void {
    this.shown = other.shown;
  }
}
