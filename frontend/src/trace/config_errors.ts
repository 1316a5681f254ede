/** Where an error of a configuration stands: its line in the text, its field in the form. */

import type { FieldError } from "../api/types";

export interface FormPlace {
  /** The profile; -1 where it belongs to none. */
  profile: number;
  point: string;
  plugin: string;
  /** What of it: a setting's name or an argument's path. */
  field: string;
}

const QUOTED = /"([^"]+)"/;

/** The line of an error; where it has none but names something, the line with that name. */
export function lineOf(error: FieldError, text: string): number {
  if (error.line) return error.line;
  const name = QUOTED.exec(error.message)?.[1];
  if (!name) return 0;
  return text.split("\n").findIndex((line) => /\bname:/.test(line) && line.includes(name)) + 1;
}

/** An error without the way that kube-scheduler went to find it. */
export function shortened(error: FieldError): FieldError {
  if (error.type !== "Start") return error;
  return { ...error, type: "", field: "", message: error.message.replace(/^.*creating profile for scheduler name /, "") };
}

/** The place in the form. Plugins that are given arguments are counted as the text has them, or as `args` names them. */
export function placeInForm(error: FieldError, text: string, args: readonly string[] = []): FormPlace {
  const field = error.field ?? "";
  const profile = /^profiles\[(\d+)\]\.?(.*)$/.exec(field);
  if (!profile) return { profile: -1, point: "", plugin: "", field };
  const at = Number(profile[1]);
  const rest = profile[2]!;
  const config = /^pluginConfig\[(\d+)\](?:\.args)?\.?(.*)$/.exec(rest);
  if (config) return { profile: at, point: "", plugin: args[Number(config[1])] ?? namedAbove(text, lineOf(error, text)), field: config[2]! };
  const plugins = /^plugins\.(\w+)(.*)$/.exec(rest);
  if (!plugins) return { profile: at, point: "", plugin: "", field: rest };
  const line = lineOf(error, text);
  const plugin = QUOTED.exec(error.message)?.[1] ?? namedAbove(text, line);
  return { profile: at, point: plugins[1]!, plugin, field: plugins[2]!.replace(/^.*\./, "") };
}

/** The last name that an item of a list begins with, at this line or above. */
function namedAbove(text: string, line: number): string {
  const lines = text.split("\n").slice(0, line);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const found = /^\s*-\s*\{?\s*name:\s*"?([\w.-]+)/.exec(lines[at]!);
    if (found) return found[1]!;
  }
  return "";
}
