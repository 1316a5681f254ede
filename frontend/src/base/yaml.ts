/** An object of the API as YAML, as people paste it into an editor. */

const PLAIN = /^([A-Za-z_/][A-Za-z0-9_./-]*|\d+(\.\d+)?(m|k|Ki|Mi|Gi|Ti|M|G|T))$/;
/** Words that YAML readers of either version take for something else than text. */
const TAKEN = new Set(["true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"]);

function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  return PLAIN.test(value) && !TAKEN.has(value.toLowerCase()) ? value : JSON.stringify(value);
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function lines(value: unknown, indent: string): string[] {
  if (value === null || typeof value !== "object") return [`${indent}${scalar(value)}`];
  if (isEmpty(value)) return [indent + (Array.isArray(value) ? "[]" : "{}")];
  if (Array.isArray(value)) return value.flatMap((item) => dashed(lines(item, `${indent}  `), indent));
  return Object.entries(value).flatMap(([key, item]) => {
    const nested = item !== null && typeof item === "object" && !isEmpty(item as object);
    if (!nested) return [`${indent}${scalar(key)}: ${lines(item, "")[0]}`];
    return [`${indent}${scalar(key)}:`, ...lines(item, Array.isArray(item) ? indent : `${indent}  `)];
  });
}

/** The first line of an item begins with its dash. */
function dashed([first = "", ...rest]: string[], indent: string): string[] {
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
}

export function toYaml(value: unknown): string {
  return `${lines(value, "").join("\n")}\n`;
}
