/** Which pods are on which node at the playhead: one counting sort over the columns. */

import type { RunState } from "./apply";

export class Occupancy {
  private readonly starts: Int32Array;
  private readonly members: Int32Array;

  /** `order`: the ids of all pods; on each node they stand in it. */
  constructor(state: RunState, numNodes: number, order: Int32Array) {
    const { pods } = state;
    const starts = new Int32Array(numNodes + 2);
    for (let pod = 0; pod < pods.size; pod += 1) {
      if (!pods.occupies(pod)) continue;
      const node = pods.nodeOf(pod);
      if (node < numNodes) starts[node + 2]! += 1;
    }
    for (let node = 2; node < starts.length; node += 1) starts[node]! += starts[node - 1]!;
    const members = new Int32Array(starts[numNodes + 1]!);
    for (const pod of order) {
      if (!pods.occupies(pod)) continue;
      const node = pods.nodeOf(pod);
      if (node >= numNodes) continue;
      members[starts[node + 1]!] = pod;
      starts[node + 1]! += 1;
    }
    this.starts = starts;
    this.members = members;
  }

  /** The pods on a node. */
  on(node: number): Int32Array {
    return this.members.subarray(this.starts[node]!, this.starts[node + 1]!);
  }
}
