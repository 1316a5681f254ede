/** The one keyboard map: bindings are registered here, run from here and listed by `?` from here. */

export interface KeyBinding {
  /** "space", "left", "shift+right", "g q", "?" … */
  keys: string;
  label: string;
  group: string;
  run: () => void;
}

const NAMES: Record<string, string> = {
  " ": "space",
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Escape: "escape",
  Home: "home",
  End: "end",
};
const SEQUENCE_MS = 1200;
/** What a field that is written in does itself. */
const OF_FIELDS = new Set(["ctrl+z", "ctrl+shift+z", "ctrl+y", "ctrl+a"]);

/** The name of a key press as bindings write it. */
export function keyName(event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">): string {
  const base = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const named = base.length > 1;
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("ctrl");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && (named || /[a-z]/.test(base))) parts.push("shift");
  return [...parts, base].join("+");
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]");
}

function activates(target: EventTarget | null, name: string): boolean {
  if (name !== "space" && name !== "Enter") return false;
  return !!(target as HTMLElement | null)?.closest?.("button, a, summary, label, input, [role=tab], [role=gridcell]");
}

export class KeyMap {
  readonly bindings: KeyBinding[] = [];
  private prefix = "";
  private prefixAt = 0;

  add(...bindings: KeyBinding[]): () => void {
    this.bindings.push(...bindings);
    return () => {
      for (const binding of bindings) this.bindings.splice(this.bindings.indexOf(binding), 1);
    };
  }

  /** Runs what is bound to a key press; returns whether anything was. */
  press(name: string, now: number): boolean {
    const sequence = this.prefix && now - this.prefixAt < SEQUENCE_MS ? `${this.prefix} ${name}` : name;
    this.prefix = "";
    const found = this.bindings.findLast((binding) => binding.keys === sequence);
    if (found) {
      found.run();
      return true;
    }
    if (this.bindings.some((binding) => binding.keys.startsWith(`${name} `))) {
      this.prefix = name;
      this.prefixAt = now;
    }
    return false;
  }

  listen(target: Document): void {
    target.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyName(event);
      if (isTyping(event.target) && (OF_FIELDS.has(name) || (name !== "escape" && !name.startsWith("ctrl+")))) return;
      if (name !== "?" && target.querySelector("dialog[open]")) return;
      if (name === "escape" && target.querySelector(":popover-open")) return;
      if (activates(event.target, name)) return;
      if (this.press(name, event.timeStamp)) event.preventDefault();
    });
  }
}

export const keyMap = new KeyMap();
