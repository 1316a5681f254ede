/**
 * Free room that cannot be used: what is left of a resource on a node once as many pods of one kind as fit were put there.
 * The kind is a pod that is looked at, so the number answers a question somebody has.
 */

export interface Room {
  /** Of the resource looked at, per node: free, and free but of no use to such a pod. */
  free: Float64Array;
  stranded: Float64Array;
  total: { free: number; stranded: number; largest: number };
}

export interface Columns {
  allocatable: Float64Array;
  used: Float64Array;
  /** What the pod asks for; 0 where it asks for nothing of it. */
  request: number;
}

/** Room for a pod on every node; `looked` is the resource whose free part is counted, `all` every resource the pod asks for. */
export function roomFor(looked: Columns, all: readonly Columns[], isAway: (node: number) => boolean): Room {
  const num = looked.allocatable.length;
  const room: Room = {
    free: new Float64Array(num),
    stranded: new Float64Array(num),
    total: { free: 0, stranded: 0, largest: 0 },
  };
  const asked = all.filter((one) => one.request > 0);
  for (let node = 0; node < num; node += 1) {
    if (isAway(node)) continue;
    const free = Math.max(0, looked.allocatable[node]! - looked.used[node]!);
    const fits = asked.length ? copiesOn(node, asked) : 0;
    const stranded = asked.length ? Math.max(0, free - fits * looked.request) : 0;
    room.free[node] = free;
    room.stranded[node] = stranded;
    room.total.free += free;
    room.total.stranded += stranded;
    room.total.largest = Math.max(room.total.largest, free);
  }
  return room;
}

function copiesOn(node: number, asked: readonly Columns[]): number {
  let fits = Infinity;
  for (const { allocatable, used, request } of asked) {
    fits = Math.min(fits, Math.floor((allocatable[node]! - used[node]!) / request));
  }
  return Math.max(0, fits);
}
