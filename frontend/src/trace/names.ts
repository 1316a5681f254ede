/** Strings become small integers once; columns are indexed by them. */

export class Names {
  private readonly ids = new Map<string, number>();
  readonly all: string[] = [];

  get size(): number {
    return this.all.length;
  }

  /** The id of a name, given now if it is new. */
  id(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.all.length;
    this.ids.set(name, id);
    this.all.push(name);
    return id;
  }

  /** The id of a name, −1 if it was never given. */
  find(name: string): number {
    return this.ids.get(name) ?? -1;
  }

  name(id: number): string {
    return this.all[id] ?? "";
  }
}
