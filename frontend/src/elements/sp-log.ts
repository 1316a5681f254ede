/** The events themselves, newest last, as far as the playhead; only those on the screen are drawn. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TemplateResult } from "lit";
import type { TraceEvent } from "../api/events.gen";
import { count, podName, time } from "../base/format";
import { windowOf } from "../base/windowed";
import { RunView, skeleton } from "./light";

const ROW = 24;

class SpLog extends RunView {
  private scroller: HTMLElement | null = null;
  private lastSeq = -1;

  protected override render(): unknown {
    const { store } = this.run;
    if (store.lastSeq === 0) return skeleton(6, "Waiting for the first event");
    const shown = windowOf(store.lastSeq, ROW, this.scroller?.scrollTop ?? 0, this.scroller?.clientHeight || 400);
    return html`<div class="scroll" @scroll=${() => this.requestUpdate()}>
      <ol class="log" aria-label="Events, ${count(store.lastSeq)}">
        <li class="pad" aria-hidden="true"></li>
        ${repeat(
          store.log.slice(shown.first, shown.last),
          (event) => event.seq,
          (event) => this.row(event),
        )}
        <li class="pad" aria-hidden="true"></li>
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
    const scroller = this.querySelector<HTMLElement>(".scroll");
    this.scroller = scroller;
    if (!scroller) return;
    const { store } = this.run;
    const shown = windowOf(store.lastSeq, ROW, scroller.scrollTop, scroller.clientHeight || 400);
    const pads = scroller.querySelectorAll<HTMLElement>(".pad");
    pads[0]?.style.setProperty("height", `${shown.before}px`);
    pads[1]?.style.setProperty("height", `${shown.after}px`);
    if (store.state.seq === this.lastSeq) return;
    this.lastSeq = store.state.seq;
    const top = (store.state.seq - 1) * ROW;
    if (top < scroller.scrollTop || top > scroller.scrollTop + scroller.clientHeight - ROW * 2) {
      scroller.scrollTop = Math.max(0, top - scroller.clientHeight + ROW * 3);
    }
  }
}

/** The rest of an event in a few words. */
function describe(event: TraceEvent): string {
  switch (event.type) {
    case "RunStarted":
      return `${count(event.num_nodes)} nodes, ${count(event.num_bound)} bound, ${count(event.num_pending)} pending`;
    case "RunFinished":
      return `${count(event.num_cycles)} cycles, ${count(event.num_bound)} bound, ${count(event.num_pending)} pending`;
    case "PodEnqueued":
      return `${podName(event.pod)} → ${event.queue} (${event.event})`;
    case "CycleStarted":
      return `${podName(event.pod)} cycle ${event.cycle}, attempt ${event.attempt}`;
    case "NodesFiltered":
      return `${podName(event.pod)} ${count(event.num_feasible)} of ${count(event.num_evaluated)} fit`;
    case "NodesScored":
      return `${podName(event.pod)} ${(event.scores ?? []).slice(0, 2).map(([node, total]) => `${node} ${total}`).join(", ")}`;
    case "PodUnschedulable":
      return `${podName(event.pod)} ${event.message}`;
    case "VictimsSelected":
      return `${podName(event.pod)} evicts ${(event.victims ?? []).map(podName).join(", ")}`;
    default:
      return "pod" in event ? `${podName(event.pod)}${"node" in event && event.node ? ` → ${event.node}` : ""}` : event.node;
  }
}

customElements.define("sp-log", SpLog);
