/** Several nodes and pods, chosen together to do something with all of them. */

export class Selection {
  readonly nodes = new Set<string>();
  readonly pods = new Set<string>();
  /** While it is on, a plain click or tap adds to the selection: what Ctrl does where there is a keyboard. */
  several = false;
  /** Grows with every change. */
  version = 0;

  get size(): number {
    return this.nodes.size + this.pods.size;
  }

  toggle(kind: "nodes" | "pods", name: string): void {
    const names = this[kind];
    if (!names.delete(name)) names.add(name);
    this.version += 1;
  }

  add(kind: "nodes" | "pods", names: Iterable<string>): void {
    for (const name of names) this[kind].add(name);
    this.version += 1;
  }

  clear(): void {
    this.nodes.clear();
    this.pods.clear();
    this.version += 1;
  }

  /** Forgets what is no more. */
  keep(nodes: ReadonlySet<string>, pods: ReadonlySet<string>): void {
    if (this.size === 0) return;
    for (const name of this.nodes) if (!nodes.has(name)) this.nodes.delete(name);
    for (const name of this.pods) if (!pods.has(name)) this.pods.delete(name);
    this.version += 1;
  }
}
