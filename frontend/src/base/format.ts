/** Quantities, counts and times as people write them. */

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 12000 → "12,000". */
export function count(value: number): string {
  return grouped.format(value);
}

/** "1 pod", "2 pods", "2,000 pods". */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

function short(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}

/** CPU given in thousandths: 250 → "250m", 1500 → "1.5", 4000 → "4". */
export function cpu(milli: number): string {
  if (Math.abs(milli) < 1000) return milli === 0 ? "0" : `${Math.round(milli)}m`;
  return milli >= 100_000 ? count(milli / 1000) : short(milli / 1000);
}

/** Bytes in binary units: 1610612736 → "1.5 GiB". */
export function bytes(value: number): string {
  let scaled = value;
  let unit = 0;
  while (Math.abs(scaled) >= 1024 && unit < BINARY.length - 1) {
    scaled /= 1024;
    unit += 1;
  }
  return `${short(scaled)} ${BINARY[unit]}`;
}

/** True for resources counted in bytes. */
export function isBytes(resource: string): boolean {
  return resource === "memory" || resource === "ephemeral-storage" || resource === "storage" || resource.startsWith("hugepages-");
}

/** A quantity of a resource, in the unit people use for it. */
export function quantity(resource: string, value: number): string {
  if (resource === "cpu") return cpu(value);
  return isBytes(resource) ? bytes(value) : count(value);
}

/** The same, to the last digit, for a tooltip. */
export function exact(resource: string, value: number): string {
  if (resource === "cpu") return `${grouped.format(value)}m`;
  return isBytes(resource) ? `${grouped.format(value)} bytes` : grouped.format(value);
}

/** Virtual time since the run's start: 4310000 → "4.310 s". */
export function time(us: number): string {
  const seconds = us / 1e6;
  if (seconds < 60) return `${seconds.toFixed(3)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${(seconds % 60).toFixed(1)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A length of time that is left: 3210000 → "3.2 s". */
export function left(us: number): string {
  const seconds = Math.max(0, us) / 1e6;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : time(us);
}

/** 0.625 → "63%"; never 0% for something nor 100% for less than all. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  if (share > 0.99 && share < 1) return "99%";
  return `${Math.round(share * 100)}%`;
}

/** "default/api-7" → "api-7", "team-a/api-7" → "team-a/api-7". */
export function podName(key: string): string {
  return key.startsWith("default/") ? key.slice(8) : key;
}

/** The middle of an upstream message: what stands between "available: " and the word on preemption. */
export function reasonOf(message: string): string {
  const start = message.indexOf("available: ");
  const from = start < 0 ? 0 : start + 11;
  const tail = message.search(/\.? (no new claims to deallocate|preemption:)/);
  const text = message.slice(from, tail > from ? tail : undefined).trim();
  return mostFirst(text.replace(/[.,]$/, ""));
}

/** Upstream sorts the reasons as strings; here those of most nodes come first. */
function mostFirst(text: string): string {
  const parts = text.split(/, (?=\d+ )/);
  const countOf = (part: string) => Number(/^\d+/.exec(part)?.[0] ?? 0);
  return parts.sort((a, b) => countOf(b) - countOf(a)).join(", ");
}

/** A plural with no number in it: list(["a","b","c"]) → "a, b and c". */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
