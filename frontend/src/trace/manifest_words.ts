/** What can be written at a place of a manifest, and what a field means. */

import type { ManifestSchema, SchemaField } from "../api/manifest_schema";
import type { Place } from "../base/yaml_place";

export interface Suggestion {
  label: string;
  detail: string;
  info: string;
  /** What is put into the text. */
  text: string;
  /** Likelier ones stand first. */
  rank: number;
}

const RESOURCES = ["cpu", "memory", "ephemeral-storage", "pods"];
const WORDS: Record<string, string> = { text: "text", number: "number", flag: "true or false", quantity: "quantity", time: "time", any: "" };

/** The type whose fields stand at the end of a path, or what stands there otherwise. */
function follow(schema: ManifestSchema, kind: string, path: readonly string[]): { fields: Record<string, SchemaField> | null; field: SchemaField | null; within: "one" | "list" | "map" } {
  let fields: Record<string, SchemaField> | null = schema.types[schema.kinds[kind]?.type ?? ""] ?? null;
  let field: SchemaField | null = null;
  let within: "one" | "list" | "map" = "one";
  for (const name of path) {
    if (within === "list" && name === "[]") within = "one";
    else if (within === "map") within = "one";
    else {
      field = fields?.[name] ?? null;
      within = field?.form ?? "one";
    }
    fields = field ? (schema.types[field.type] ?? null) : null;
    if (!field) return { fields: null, field: null, within: "one" };
  }
  return { fields, field, within };
}

export function suggestions(schema: ManifestSchema, place: Place): Suggestion[] {
  const atRoot = place.path.length === 1;
  if (place.role === "value" && atRoot && place.path[0] === "kind") {
    return Object.entries(schema.kinds).map(([kind, told]) => ({ label: kind, detail: told.api_version, info: told.doc, text: kind, rank: ["Pod", "Node", "Deployment"].includes(kind) ? 1 : 0 }));
  }
  if (place.role === "value" && atRoot && place.path[0] === "apiVersion") {
    const known = schema.kinds[place.kind];
    const versions = known ? [known.api_version] : [...new Set(Object.values(schema.kinds).map((told) => told.api_version))];
    return versions.map((version) => ({ label: version, detail: "", info: "", text: version, rank: 0 }));
  }
  if (place.role === "key" && place.path.length === 0 && !place.kind) {
    return ["apiVersion", "kind", "metadata", "spec"].map((name, at) => ({ label: name, detail: "", info: name === "kind" ? "What it is: with it the fields are known." : "", text: `${name}:${name === "metadata" || name === "spec" ? `\n${" ".repeat(place.indent + 2)}` : " "}`, rank: -at }));
  }
  const here = follow(schema, place.kind, place.path);
  if (place.role === "value") return values(here.field, here.within);
  if (here.within === "list") return [];
  if (here.within === "map") return here.field?.type === "quantity" ? RESOURCES.map((name) => ({ label: name, detail: "quantity", info: "", text: `${name}: `, rank: 0 })) : [];
  return Object.entries(here.fields ?? {}).map(([name, field]) => ({
    label: name,
    detail: typeWords(field),
    info: field.doc ?? "",
    text: `${name}:${opening(schema, field, place.indent)}`,
    rank: field.is_read === false ? -2 : name === "status" || name === "apiVersion" || name === "kind" ? -1 : 0,
  }));
}

function values(field: SchemaField | null, within: string): Suggestion[] {
  if (!field || within === "map") return [];
  const known = field.values ?? (field.type === "flag" ? ["true", "false"] : []);
  return known.map((value, at) => ({ label: value, detail: "", info: "", text: value, rank: -at }));
}

function opening(schema: ManifestSchema, field: SchemaField, indent: number): string {
  const deeper = `\n${" ".repeat(indent + 2)}`;
  if (field.form === "list") return `${deeper}- `;
  return field.form === "map" || schema.types[field.type] ? deeper : " ";
}

function typeWords(field: SchemaField): string {
  const word = WORDS[field.type] ?? field.type;
  if (field.form === "list") return `list${word ? ` of ${word}` : ""}`;
  return field.form === "map" ? `map${word ? ` of ${word}` : ""}` : word;
}

/** What the last key of a path means: a line, with its type and the values it takes. */
export function meaningOf(schema: ManifestSchema, place: Pick<Place, "kind" | "path">): { title: string; text: string } | null {
  const parents = follow(schema, place.kind, place.path.slice(0, -1));
  const name = place.path[place.path.length - 1] ?? "";
  const field = parents.within === "one" ? parents.fields?.[name] : undefined;
  if (!field) return null;
  const text = [field.doc, field.values?.length ? `One of ${field.values.join(", ")}.` : ""].filter(Boolean).join(" ");
  return { title: `${name}: ${typeWords(field)}`, text };
}
