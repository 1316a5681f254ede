/** What manifests may say, as the server reads it off its own types. */

import { send } from "./client";

export interface SchemaField {
  type: string;
  form?: "one" | "list" | "map";
  values?: string[];
  doc?: string;
  is_read?: boolean;
}

export interface ManifestSchema {
  kinds: Record<string, { api_version: string; type: string; namespaced: boolean; doc: string }>;
  types: Record<string, Record<string, SchemaField>>;
}

let asked: Promise<ManifestSchema> | null = null;

/** Read once. */
export function manifestSchema(): Promise<ManifestSchema> {
  asked ??= send("manifests/schema").then((response) => response.json() as Promise<ManifestSchema>);
  asked.catch(() => (asked = null));
  return asked;
}
