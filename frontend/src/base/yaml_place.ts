/**
 * Where one is in a YAML text: the keys that lead there, whether a key or a value is written, in which document. It goes by
 * indentation, line by line, so that it also works while what is written is not yet YAML. `[]` stands for an item of a list.
 */

export interface Place {
  path: string[];
  /** Whether a key is written at this place, or the value of the last key of the path. */
  role: "key" | "value";
  /** What is written of it already, and where that begins in the text. */
  word: string;
  from: number;
  indent: number;
  /** The document around. */
  kind: string;
  apiVersion: string;
}

interface Level {
  indent: number;
  name: string;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#:[\]{},&*!|>'"%@`-][^\s#:]*|-[^\s#:]+)\s*:(?=\s|$)/;
const BLOCK = /^[|>][+-]?\d?\s*(#.*)?$/;

const unquoted = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key);

/** The part of the text that is the document around a place. */
function documentAround(text: string, offset: number): { from: number; to: number } {
  const before = text.slice(0, offset).lastIndexOf("\n---");
  const start = before < 0 ? 0 : (text.indexOf("\n", before + 1) + 1 || text.length);
  const after = text.indexOf("\n---", offset);
  return { from: Math.min(start, offset), to: after < 0 ? text.length : after };
}

/** Goes on from the levels above to those of a line; returns what is left of the line after them. */
class Walker {
  levels: Level[] = [];
  private skipDeeperThan = -1;

  /** Takes the dashes at the beginning of a line; returns where the rest begins. */
  dashes(line: string): number {
    let at = line.length - line.trimStart().length;
    while (/^-(\s|$)/.test(line.slice(at))) {
      while (this.top && (this.top.indent > at || (this.top.indent === at && this.top.name === "[]"))) this.levels.pop();
      this.levels.push({ indent: at, name: "[]" });
      at += 1 + (line.slice(at + 1).length - line.slice(at + 1).trimStart().length);
    }
    return at;
  }

  get top(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }

  /** Leaves the levels that do not lead to something at this column. */
  leave(indent: number): void {
    while (this.top && this.top.indent >= indent) this.levels.pop();
  }

  /** Takes a whole line; gives the key on it and where its value begins, if it has one. */
  line(line: string): { at: number; value: number } | null {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) return null;
    const indent = line.length - line.trimStart().length;
    if (this.skipDeeperThan >= 0 && indent > this.skipDeeperThan) return null;
    this.skipDeeperThan = -1;
    const at = this.dashes(line);
    const key = KEY.exec(line.slice(at));
    if (!key) return null;
    this.leave(at);
    this.levels.push({ indent: at, name: unquoted(key[1]!) });
    const after = line.slice(at + key[0].length);
    if (BLOCK.test(after.trim())) this.skipDeeperThan = at;
    return { at, value: at + key[0].length + (after.length - after.trimStart().length) };
  }

  get path(): string[] {
    return this.levels.map((level) => level.name);
  }
}

export function placeAt(text: string, offset: number): Place {
  const { from, to } = documentAround(text, offset);
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const walker = new Walker();
  if (lineStart > from) for (const line of text.slice(from, lineStart - 1).split("\n")) walker.line(line);
  const line = text.slice(lineStart, offset);
  const whole = text.slice(from, to);
  const root = (name: string) => new RegExp(`^${name}:\\s*["']?([\\w./-]+)`, "m").exec(whole)?.[1] ?? "";
  const common = { kind: root("kind"), apiVersion: root("apiVersion") };
  const at = walker.dashes(line);
  const rest = line.slice(at);
  const key = KEY.exec(rest);
  walker.leave(at);
  if (key) {
    const value = rest.slice(key[0].length).trimStart();
    return { ...common, path: [...walker.path, unquoted(key[1]!)], role: "value", word: value, from: offset - value.length, indent: at };
  }
  return { ...common, path: walker.path, role: "key", word: rest.trimStart(), from: offset - rest.trimStart().length, indent: at };
}

/** The key under a place of the text, with the keys that lead to it; null where there is none. */
export function keyAt(text: string, offset: number): (Place & { to: number }) | null {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const begin = line.search(/[^\s-]/);
  const key = begin < 0 ? null : KEY.exec(line.slice(begin));
  if (!key || offset < lineStart + begin || offset > lineStart + begin + key[1]!.length) return null;
  const place = placeAt(text, lineStart + begin + key[0].length);
  return { ...place, from: lineStart + begin, to: lineStart + begin + key[1]!.length };
}

/** The text with another value at a path, where it stands on the line of its key; null where it does not. */
export function withScalar(text: string, path: readonly string[], value: string): string | null {
  const walker = new Walker();
  const counts = new Map<string, number>();
  let offset = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("---")) return null;
    const found = walker.line(line);
    if (found && samePath(walker.path, path, counts, line)) {
      const old = /^("[^"]*"|'[^']*'|[^#\n]*?)(\s+#.*)?$/.exec(line.slice(found.value));
      if (!old || old[1] === "" || /^[|>{[&*]/.test(old[1]!)) return null;
      const start = offset + found.value;
      return text.slice(0, start) + value + text.slice(start + old[1]!.length);
    }
    offset += line.length + 1;
  }
  return null;
}

/** Whether a path is the wanted one; of lists the first item is meant. */
function samePath(here: readonly string[], wanted: readonly string[], seen: Map<string, number>, line: string): boolean {
  if (/^\s*-(\s|$)/.test(line)) {
    const list = here.slice(0, here.lastIndexOf("[]")).join("\n");
    seen.set(list, (seen.get(list) ?? 0) + 1);
  }
  if (here.length !== wanted.length || here.some((name, at) => name !== wanted[at])) return false;
  return here.every((name, at) => name !== "[]" || (seen.get(here.slice(0, at).join("\n")) ?? 0) <= 1);
}
