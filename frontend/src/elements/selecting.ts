/** One click chooses one; with Ctrl, Shift or where several are wanted it adds to the selection of a what-if. */

import type { SpRun } from "./sp-run";
import type { WhatIfDesk } from "./what_if_desk";
import { pinnedElsewhere } from "./pin";

const DRAGGED_POD = "application/x-pod";

/** Whether a click is to add to a selection instead of choosing one. */
export function addsToSelection(run: SpRun, event?: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean }): boolean {
  return !!run.desk && (run.desk.selection.several || !!event?.ctrlKey || !!event?.metaKey || !!event?.shiftKey);
}

/** What a click on a node or a pod does. */
export function choose(run: SpRun, kind: "nodes" | "pods", name: string, event?: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean }): void {
  if (addsToSelection(run, event)) {
    const { selection } = run.desk!;
    // What was chosen alone is the first of several.
    const alone = kind === "nodes" ? run.node : run.pod;
    if (selection.size === 0 && alone !== null && alone !== name) selection.toggle(kind, alone);
    selection.toggle(kind, name);
    run.touch();
  } else if (kind === "nodes") run.selectNode(run.node === name ? null : name);
  else run.selectPod(run.pod === name ? null : name);
}

export function liftPod(event: DragEvent, pod: string): void {
  event.dataTransfer?.setData(DRAGGED_POD, pod);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
}

/** A node as a place to drop a pod at: what if it were there. */
export function dropPod(desk: WhatIfDesk, node: string): { over: (event: DragEvent) => void; leave: (event: DragEvent) => void; drop: (event: DragEvent) => void } {
  return {
    over: (event) => {
      if (!event.dataTransfer?.types.includes(DRAGGED_POD)) return;
      event.preventDefault();
      (event.currentTarget as Element).classList.add("drop-here");
    },
    leave: (event) => (event.currentTarget as Element).classList.remove("drop-here"),
    drop: (event) => {
      (event.currentTarget as Element).classList.remove("drop-here");
      const pod = event.dataTransfer?.getData(DRAGGED_POD);
      if (!pod) return;
      event.preventDefault();
      void pinnedElsewhere(desk, pod, node);
    },
  };
}
