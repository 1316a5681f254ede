/** What stands on every node at the playhead, in one pass over the pods: amount used, number of pods, a fingerprint. */

import type { RunState } from "./apply";

export interface NodeLoad {
  used: Float64Array;
  pods: Int32Array;
  /** Changes when the pods on a node or their states do. */
  print: Int32Array;
}

export function emptyLoad(numNodes: number): NodeLoad {
  return { used: new Float64Array(numNodes), pods: new Int32Array(numNodes), print: new Int32Array(numNodes) };
}

/** Fills `load` anew; `requests` are the pods' amounts of the resource looked at. */
export function takeLoad(load: NodeLoad, state: RunState, requests: Float64Array): void {
  const { used, pods: count, print } = load;
  used.fill(0);
  count.fill(0);
  print.fill(17);
  const { pods } = state;
  const numNodes = used.length;
  const asked = requests.length;
  for (let pod = 0; pod < pods.size; pod += 1) {
    if (!pods.occupies(pod)) continue;
    const node = pods.nodeOf(pod);
    if (node >= numNodes) continue;
    if (pod < asked) used[node]! += requests[pod]!;
    count[node]! += 1;
    print[node] = (Math.imul(print[node]!, 31) + pod * 16 + pods.state[pod]! * 2 + pods.victim[pod]!) | 0;
  }
}
