/** What was refused outside of scheduling: edits, and objects that admission did not let in. Every event is read once. */

import type { EditRefused } from "../api/events.gen";
import type { RunStore } from "./run_store";

export interface Admission {
  reason: string;
  /** The first object that was refused for it. */
  object: string;
  times: number;
}

const FORBIDDEN = " is forbidden: ";

export class TurnedAway {
  readonly edits: EditRefused[] = [];
  private readonly byReason = new Map<string, Admission>();
  private seen = 0;

  /** Reads on to the newest event. */
  update(store: Pick<RunStore, "lastSeq" | "log">): this {
    for (; this.seen < store.lastSeq; this.seen += 1) {
      const event = store.log[this.seen]!;
      if (event.type === "EditRefused") this.edits.push(event);
      else if (event.type === "AdmissionRefused") {
        const reason = event.message.split(FORBIDDEN).at(-1)!;
        const known = this.byReason.get(reason);
        if (known) known.times += 1;
        else this.byReason.set(reason, { reason, object: event.object, times: 1 });
      }
    }
    return this;
  }

  /** Reasons of admission, in the order in which they came up. */
  get admissions(): Admission[] {
    return [...this.byReason.values()];
  }
}
