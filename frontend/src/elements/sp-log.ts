/** The events themselves, newest last, as far as the playhead; only those on the screen are drawn. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { TraceEvent } from "../api/events.gen";
import { count, podName, reasonOf, time } from "../base/format";
import { windowOf } from "../base/windowed";
import { describe } from "../trace/event_words";
import { LOG_KINDS, LogFilter } from "../trace/log_filter";
import type { LogKind } from "../trace/log_filter";
import { RunView, emptyState, skeleton } from "./light";
import { Scroller } from "./scroller";
import { styled } from "./styled";

const ROW = 42;
const TYPING_MS = 180;
const KIND_WORDS: Record<LogKind, string> = { all: "all kinds", queue: "queue", cycle: "cycle", binding: "binding", preemption: "preemption", cluster: "cluster" };

class SpLog extends RunView {
  private readonly scroller = new Scroller(() => this.requestUpdate());
  private lastSeq = -1;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.scroller.stop();
  }

  private filter: LogFilter | null = null;
  private typing = 0;

  protected override render(): unknown {
    const { store } = this.run;
    if (store.lastSeq === 0) return skeleton(6, "Waiting for the first event");
    const filter = this.filtered();
    return html`${this.controls(filter)} ${filter.shown.length === 0 ? this.none(filter) : this.list(filter)}`;
  }

  /** The filter of the address, as far as events have come. */
  private filtered(): LogFilter {
    const asked = this.run.view("kind") as LogKind | null;
    const kind = asked && LOG_KINDS.includes(asked) ? asked : "all";
    const text = this.run.view("q") ?? "";
    if (this.filter?.query.kind !== kind || this.filter.query.text !== text) {
      this.filter = new LogFilter({ kind, text });
      this.lastSeq = -1;
    }
    this.filter.update(this.run.store);
    return this.filter;
  }

  private controls(filter: LogFilter): TemplateResult {
    return html`<div class="controls log-controls">
      <input type="search" aria-label="Find in the events" placeholder="Find a pod, node or word" .value=${filter.query.text} @input=${this.find} />
      <select aria-label="Kind of event" @change=${(event: Event) => this.pick((event.target as HTMLSelectElement).value)}>
        ${LOG_KINDS.map((kind) => html`<option value=${kind} ?selected=${kind === filter.query.kind}>${KIND_WORDS[kind]}</option>`)}
      </select>
      <span class="quiet num" role="status">${count(filter.shown.length)}</span>
    </div>`;
  }

  private readonly find = (event: Event) => {
    const text = (event.target as HTMLInputElement).value;
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.run.setView({ q: text || null }), TYPING_MS);
  };

  private pick(kind: string): void {
    this.run.setView({ kind: kind === "all" ? null : kind });
  }

  private none(filter: LogFilter): TemplateResult {
    const what = filter.query.text ? `“${filter.query.text}”` : "this kind";
    return emptyState(`No event matches ${what}`, html`<button type="button" class="button small" @click=${() => this.run.setView({ q: null, kind: null })}>Show all</button>`);
  }

  private list(filter: LogFilter): TemplateResult {
    const { store, moving } = this.run;
    const total = filter.shown.length;
    const at = filter.placeOf(store.state.seq);
    if (store.state.seq !== this.lastSeq && !moving) {
      this.scroller.aim(Math.max(0, at), ROW, total);
      this.lastSeq = store.state.seq;
    }
    const shown = moving ? this.scroller.brought(at, ROW, total) : windowOf(total, ROW, this.scroller.top, this.scroller.height);
    return html`<div class="scroll" tabindex="-1" @scroll=${this.scroller.scrolled}>
      <ol class="log" aria-label="Events, ${count(total)}">
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.before}px` })}></li>
        ${filter.shown.slice(shown.first, shown.last).map((seq, i) => this.row(store.event(seq)!, shown.first + i === at))}
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.after}px` })}></li>
      </ol>
    </div>`;
  }

  private row(event: TraceEvent, here: boolean): TemplateResult {
    const { store } = this.run;
    const what = describe(event);
    const pod = "pod" in event ? String(event.pod ?? "") : "";
    const shown = what.startsWith(podName(pod)) ? podName(pod) : "";
    const rest = event.type === "PodUnschedulable" ? reasonOf(event.message) : what.slice(shown.length).trim();
    return html`<li>
      <button
        type="button"
        class="log-row ${event.seq > store.state.seq ? "later" : ""}"
        aria-current=${here ? "step" : nothing}
        title=${`${event.seq} ${event.type} ${what}`}
        @click=${() => this.goto(event.seq)}
      >
        <span class="num">${time(event.t_us)}</span><span class="type">${event.type}</span>${shown ? this.name(pod, shown) : nothing}
        <span class="what">${rest}</span>
      </button>
    </li>`;
  }

  private goto(seq: number): void {
    this.run.player.pause();
    this.run.store.seek(seq);
    this.run.goAlong();
    this.run.note(true);
    this.run.touch();
  }

  protected override updated(changes: Map<PropertyKey, unknown>): void {
    super.updated(changes);
    this.scroller.watch(this.querySelector<HTMLElement>(".scroll"));
    this.scroller.settle();
  }
}

customElements.define("sp-log", SpLog);
