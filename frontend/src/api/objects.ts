/** Objects of a cluster as they are stored. */

import { send } from "./client";

export type KubeObject = Record<string, unknown> & { kind: string; apiVersion: string; metadata: { name: string; namespace?: string; labels?: Record<string, string> } & Record<string, unknown> };

/** One object by its key: "Pod/shop/web-1", "Node/a-1". */
export async function readObject(cluster: string | number, key: string, revision?: string): Promise<KubeObject> {
  return (await (await send(objectPath(cluster, key, revision))).json()) as KubeObject;
}

export function objectPath(cluster: string | number, key: string, revision?: string): string {
  const query = revision ? `?revision=${encodeURIComponent(revision)}` : "";
  return `clusters/${cluster}/objects/${key.split("/").map(encodeURIComponent).join("/")}${query}`;
}
