/** "What if this pod were on that node?" */

import { readObject } from "../api/objects";
import { ApiError } from "../api/problem";
import { pinned, replacing } from "../trace/replacing";
import type { WhatIfDesk } from "./what_if_desk";

/** Puts the edits on the stack that have a pod on a node if it fits there. */
export async function pinnedElsewhere(desk: WhatIfDesk, pod: string, node: string): Promise<void> {
  try {
    const object = await readObject(desk.clusterId, `Pod/${pod}`, desk.revision);
    desk.change((stack) => stack.add(...replacing(pinned(object as never, node))));
  } catch (error) {
    desk.complain(error instanceof ApiError ? error.message : "The pod could not be read.");
  }
}
