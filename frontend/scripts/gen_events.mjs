// Writes src/api/events.gen.ts from the JSON Schema of the trace events; with --check only says whether it is up to date.
// The schema comes from the core: python -c "… event_schema()" with the project's own Python (PYTHON= names another).

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const target = join(here, "..", "src", "api", "events.gen.ts");
const ASK = "import json; from scheduler_core.trace.codec import event_schema; print(json.dumps(event_schema()))";

function readSchema() {
  const own = join(root, ".venv", "bin", "python");
  const python = process.env.PYTHON ?? (existsSync(own) ? own : "python3");
  return JSON.parse(execFileSync(python, ["-c", ASK], { cwd: root, encoding: "utf8" }));
}

/** The TypeScript type of a part of the schema. */
function typeOf(part) {
  if (part.$ref) return part.$ref.split("/").pop();
  if (part.const !== undefined) return JSON.stringify(part.const);
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (part.anyOf) return part.anyOf.map(typeOf).join(" | ");
  if (Array.isArray(part.type)) return part.type.map((type) => typeOf({ ...part, type })).join(" | ");
  if (part.type === "array") return arrayOf(part);
  if (part.type === "object") return part.additionalProperties ? `Record<string, ${typeOf(part.additionalProperties)}>` : "object";
  const plain = { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" };
  return plain[part.type] ?? "unknown";
}

function arrayOf(part) {
  if (part.prefixItems) return `[${part.prefixItems.map(typeOf).join(", ")}]`;
  const item = typeOf(part.items || {});
  return item.includes("|") ? `(${item})[]` : `${item}[]`;
}

function interfaceOf(name, definition) {
  const required = new Set(definition.required ?? []);
  const fields = Object.entries(definition.properties).map(
    ([field, part]) => `  ${field}${required.has(field) ? "" : "?"}: ${typeOf(part)};`,
  );
  const comment = definition.description ? `/** ${definition.description.replaceAll("``", "`").replace(/\s+/g, " ")} */\n` : "";
  return `${comment}export interface ${name} {\n${fields.join("\n")}\n}\n`;
}

function generate(schema) {
  const names = Object.keys(schema.$defs).sort();
  const union = (schema.anyOf ?? []).map(typeOf).sort();
  return [
    "// Generated from the JSON Schema of the trace events by scripts/gen_events.mjs. Do not edit.\n",
    ...names.map((name) => interfaceOf(name, schema.$defs[name])),
    `export type TraceEvent =\n${union.map((name) => `  | ${name}`).join("\n")};\n`,
  ].join("\n");
}

const wanted = generate(readSchema());
const found = existsSync(target) ? readFileSync(target, "utf8") : "";
if (!process.argv.includes("--check")) writeFileSync(target, wanted);
else if (wanted !== found) {
  console.error("src/api/events.gen.ts is stale: the events have changed. Run `npm run gen` and commit it.");
  process.exit(1);
}
