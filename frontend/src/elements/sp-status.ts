/** The run in one line: how far it is, what came of it, who is left waiting and why. */

import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { api } from "../api/client";
import type { RunStarted } from "../api/events.gen";
import type { HeadlineLine } from "../api/types";
import { ApiError, placeOf, sentenceOf } from "../api/problem";
import { count, counted, podName, time } from "../base/format";
import type { GlyphName } from "../base/glyphs";
import { decidedOf } from "../trace/decided";
import { PodState } from "../trace/pod_columns";
import { NO_PROFILE, untriedOf } from "../trace/untried";
import { groupsOf, ownerOf } from "../trace/waiting_groups";
import type { WaitingGroup } from "../trace/waiting_groups";
import { RunView, glyph, nameText } from "./light";
import { whyWaiting } from "./reasons";
import type { SpRun } from "./sp-run";

const NAMED = 3;
/** Groups of pending pods that are drawn when the rest is unfolded, and pods that a chip's title names. */
const UNFOLDED = 60;
const TITLED = 12;
/** Of the headline at first sight; the rest unfolds. */
const SENTENCES = 3;

class SpStatus extends RunView {
  override readonly pace = "rest";
  /** The run's status when it was asked to stop or to go on: it is asked until that is another one. */
  private askedAt: string | undefined;
  private refused = "";

  protected override render(): unknown {
    const { run } = this;
    return html`<div class="status" role="status">
        ${run.problem ? this.broken() : run.info.status === "failed" ? this.failed() : this.standing()} ${this.connection()}
      </div>
      ${this.notes()} ${this.waiting()}`;
  }

  private get asked(): boolean {
    return this.askedAt !== undefined && this.askedAt === this.run.info.status;
  }

  private broken(): TemplateResult {
    return html`<span class="bad">${glyph("refused")} ${this.run.problem}</span>
      <button type="button" class="button small" @click=${() => this.run.retry()}>Try again</button>`;
  }

  private failed(): TemplateResult {
    const { info } = this.run;
    return html`<div>
      <p class="bad">${glyph("refused")} ${info.errors?.length ? "The run was refused" : "The run failed"}${info.message ? `: ${info.message}` : "."}</p>
      ${info.errors?.length
        ? html`<ul class="errors">
            ${info.errors.map((error) => html`<li><span class="place">${placeOf(error)}</span> ${sentenceOf(error)}</li>`)}
          </ul>`
        : nothing}
      <p class="quiet">${info.errors?.length ? "Put this right in the dump and import it again." : this.run.store.lastSeq ? "Its events up to then are below. Run it again; if it fails again, the server's log says more." : "It had no event yet. Run it again; if it fails again, the server's log says more."}</p>
    </div>`;
  }

  /** Numbers of the newest event, wherever the playhead is. */
  private standing(): TemplateResult {
    const { run } = this;
    const { store } = run;
    const last = store.event(store.lastSeq);
    const cycles = run.complete ? store.cycles.size : Math.max(store.cycles.size, run.info.num_cycles ?? 0);
    return html`
      ${this.verdict()}
      ${run.ended
        ? nothing
        : html`<button type="button" class="button small" ?disabled=${this.asked} @click=${this.cancel}>
            ${this.asked ? "Cancelling" : "Cancel"}
          </button>`}
      ${this.placed()}
      ${cycles || run.ended ? html`<span class="quiet tally">${counted(cycles, "cycle")}</span>` : nothing}
      ${last ? html`<span class="quiet tally" title="virtual time since the run's start">t ${time(last.t_us)}</span>` : nothing}
      ${run.ended && run.info.message ? html`<span class="quiet">${run.info.message}</span>` : nothing}
      ${this.refused ? html`<span class="bad">${this.refused}</span>` : nothing}
    `;
  }

  /** The outcome as a sentence. */
  private verdict(): TemplateResult {
    const { run } = this;
    const { info } = run;
    const started = startOf(run);
    const asked = started?.num_pending ?? 0;
    if (!run.ended) {
      return html`<span class="verdict working"><span class="pulse"></span>${started ? `Placing ${counted(asked, "pod")}` : "Starting"}</span>`;
    }
    const isRead = run.complete && run.ready;
    if (!isRead && !info.headline?.length) return html`<span class="verdict working"><span class="pulse"></span>Reading the run</span>`;
    if (!isRead) return this.headline();
    const word = WORDS[info.status ?? ""];
    if (word) return this.cutShort(word);
    if (!started) return html`<span class="verdict">Ended before its first event</span>`;
    return this.headline();
  }

  /** What it came to; known before its events are read. */
  private headline(): TemplateResult {
    const [first, ...rest] = this.run.info.headline ?? [];
    return html`<span class="verdict">${first ? this.line(first) : "Ended"}</span>
      ${rest.slice(0, SENTENCES - 1).map((line) => html`<span class="headline-more">${this.line(line)}</span>`)}
      ${rest.length >= SENTENCES
        ? html`<details class="headline-rest">
            <summary>${counted(rest.length - SENTENCES + 1, "more sentence")}</summary>
            <ul>
              ${rest.slice(SENTENCES - 1).map((line) => html`<li class="headline-more">${this.line(line)}</li>`)}
            </ul>
          </details>`
        : nothing}`;
  }

  /** A sentence of the headline; pods that it names are links. */
  private line(line: HeadlineLine): TemplateResult {
    const { glyph: name, style } = TONES[line.tone ?? "plain"];
    const parts: unknown[] = [];
    let rest = line.text;
    for (const key of (line.pods ?? []).slice(0, NAMED)) {
      const at = rest.indexOf(key);
      if (at < 0) continue;
      parts.push(rest.slice(0, at), html`<button type="button" class="link mono" title=${key} @click=${() => this.run.selectPod(key)}>${podName(key)}</button>`);
      rest = rest.slice(at + key.length);
    }
    const { event } = line;
    const log = event ? html` <button type="button" class="link quiet" title="Show it in the log" @click=${() => this.run.setView({ log: "events", kind: null, q: event }, true)}>log</button>` : nothing;
    return html`<span class=${style}>${glyph(name)} ${parts}${rest}${log}</span>`;
  }

  /** A run that did not end by itself has no outcome: how far it got, and how to have the rest. */
  private cutShort(word: string): TemplateResult {
    const { placed, refused, untried } = decidedOf(this.run.store, this.run.model);
    const decided = placed + refused;
    return html`<span class="verdict">
        <span class="warn">${glyph("unschedulable")} ${word}: ${count(decided)} of ${counted(decided + untried, "pod")} decided</span>${decided ? html`, ${count(placed)} placed and ${count(refused)} without a node so far` : nothing}${untried ? html`; ${count(untried)} never tried` : nothing}
      </span>
      <button type="button" class="button small" ?disabled=${this.asked} title="Computes what is stored again, compares it, and adds the rest" @click=${this.goOn}>${this.asked ? "Going on" : "Go on"}</button>`;
  }

  /** How many pods the run has placed so far. */
  private placed(): unknown {
    const { run } = this;
    const started = startOf(run);
    if (run.ended || !started) return nothing;
    return html`<span class="tally"><strong>${count(run.store.placed.size)}</strong> placed</span>`;
  }

  /** After the end: who is left, each a link to its story. */
  private waiting(): unknown {
    const { run } = this;
    if (!run.ended || run.problem || !run.store.lastSeq) return nothing;
    const untried = new Set(untriedOf(run.store, run.model));
    const pending = WORDS[run.info.status ?? ""] ? [] : [...pendingOf(run), ...untried];
    if (pending.length === 0) return nothing;
    const groups = groupsOf(
      pending.map((pod) => {
        const item = run.model?.pods[pod];
        const reason = untried.has(pod) ? NO_PROFILE : whyWaiting(run.store, run.store.newest, pod);
        return { pod: run.store.words.pods.name(pod), owner: item ? ownerOf(item) : "", reason };
      }),
    );
    const rest = groups.slice(NAMED);
    const pods = rest.reduce((sum, group) => sum + group.pods.length, 0);
    return html`<ul class="left-over" aria-label="Left pending">
        ${groups.slice(0, NAMED).map((group) => this.chip(group))}
      </ul>
      ${rest.length
        ? html`<details class="left-rest">
            <summary>${counted(pods, "more pending pod")}</summary>
            <ul class="left-over">
              ${rest.slice(0, UNFOLDED).map((group) => this.chip(group))}
              ${rest.length > UNFOLDED ? html`<li class="quiet">and ${counted(rest.length - UNFOLDED, "more group")}, in the table of pods</li>` : nothing}
            </ul>
          </details>`
        : nothing}`;
  }

  /** Pods of one owner that wait for one reason; pressed, the first is shown. */
  private chip({ owner, reason, pods }: WaitingGroup): TemplateResult {
    const { run } = this;
    const [first] = pods as [string];
    const many = pods.length > 1;
    const name = many ? nameText(owner, owner.split("/")[2]) : nameText(first, podName(first));
    return html`<li>
      <button type="button" class="left-pod" aria-pressed=${run.pod !== null && pods.includes(run.pod)} title=${`${pods.slice(0, TITLED).join(", ")}${pods.length > TITLED ? ", …" : ""}: ${reason}`} @click=${() => run.selectPod(first)}>
        ${name} ${many ? html`<span class="num">× ${count(pods.length)}</span>` : nothing} <span class="why">${reason}</span>
      </button>
    </li>`;
  }

  /** What the configuration asked for in vain. */
  private notes(): unknown {
    const notes = this.run.info.notes ?? [];
    if (!this.run.ended || notes.length === 0) return nothing;
    return html`<details class="run-notes">
      <summary>${counted(notes.length, "note")} on the configuration</summary>
      <ul>
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>
    </details>`;
  }

  private connection(): unknown {
    const { stream } = this.run;
    if (stream === "reconnecting") return html`<span class="warn">Connection lost, reconnecting</span>`;
    if (stream === "polling") return html`<span class="quiet">No live socket: asking once a second</span>`;
    if (stream === "failed") return html`<span class="bad">The server does not answer; trying again</span>`;
    return nothing;
  }

  private readonly cancel = () => this.ask(() => api.cancel(this.run.runId ?? ""), "The run could not be cancelled.");

  private readonly goOn = () => this.ask(() => this.run.goOn(), "The run could not go on.");

  private async ask(deed: () => Promise<unknown>, otherwise: string): Promise<void> {
    this.askedAt = this.run.info.status;
    this.refused = "";
    this.requestUpdate();
    try {
      await deed();
    } catch (error) {
      this.askedAt = undefined;
      this.refused = error instanceof ApiError ? error.message : otherwise;
    }
    this.requestUpdate();
  }
}

const WORDS: Record<string, string> = {
  cancelled: "Cancelled",
  interrupted: "Interrupted",
};

/** The run's first event, which says what it was asked; null until it is here. */
function startOf(run: SpRun): RunStarted | null {
  const first = run.store.event(1);
  return first?.type === "RunStarted" ? first : null;
}

const TONES: Record<NonNullable<HeadlineLine["tone"]>, { glyph: GlyphName; style: string }> = {
  good: { glyph: "bound", style: "" },
  plain: { glyph: "changed", style: "" },
  warning: { glyph: "changed", style: "warn" },
  bad: { glyph: "unschedulable", style: "warn" },
};

const WAITING: readonly number[] = [PodState.ACTIVE, PodState.BACKOFF, PodState.UNSCHEDULABLE, PodState.GATED];

function pendingOf(run: SpRun): number[] {
  const { pods } = run.store.newest;
  const found = [];
  for (let pod = 0; pod < pods.size; pod += 1) if (WAITING.includes(pods.state[pod]!)) found.push(pod);
  return found;
}

customElements.define("sp-status", SpStatus);
