/** The events themselves, newest last, as far as the playhead; only those on the screen are drawn. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TemplateResult } from "lit";
import type { TraceEvent } from "../api/events.gen";
import { count, time } from "../base/format";
import { windowOf } from "../base/windowed";
import { describe } from "../trace/event_words";
import { RunView, skeleton } from "./light";
import { Scroller } from "./scroller";
import { styled } from "./styled";

const ROW = 24;

class SpLog extends RunView {
  private readonly scroller = new Scroller(() => this.requestUpdate());
  private lastSeq = -1;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.scroller.stop();
  }

  protected override render(): unknown {
    const { store } = this.run;
    if (store.lastSeq === 0) return skeleton(6, "Waiting for the first event");
    if (store.state.seq !== this.lastSeq) this.scroller.aim(store.state.seq - 1, ROW, store.lastSeq);
    this.lastSeq = store.state.seq;
    const shown = windowOf(store.lastSeq, ROW, this.scroller.top, this.scroller.height);
    return html`<div class="scroll" @scroll=${this.scroller.scrolled}>
      <ol class="log" aria-label="Events, ${count(store.lastSeq)}">
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.before}px` })}></li>
        ${repeat(
          store.log.slice(shown.first, shown.last),
          (event) => event.seq,
          (event) => this.row(event),
        )}
        <li class="pad" aria-hidden="true" ${styled({ height: `${shown.after}px` })}></li>
      </ol>
    </div>`;
  }

  private row(event: TraceEvent): TemplateResult {
    const { store } = this.run;
    const here = event.seq === store.state.seq;
    const what = describe(event);
    return html`<li>
      <button
        type="button"
        class="log-row ${event.seq > store.state.seq ? "later" : ""}"
        aria-current=${here ? "step" : nothing}
        title=${`${event.seq} ${event.type} ${what}`}
        @click=${() => this.goto(event.seq)}
      >
        <span class="num">${time(event.t_us)}</span><span class="type">${event.type}</span><span class="name">${what}</span>
      </button>
    </li>`;
  }

  private goto(seq: number): void {
    this.run.player.pause();
    this.run.store.seek(seq);
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
