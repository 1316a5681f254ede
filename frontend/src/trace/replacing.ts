/** Pods cannot be changed in most of their fields: a pod that is to be other is deleted and applied anew, as people do it. */

import type { Edit } from "../api/plans";

type Json = Record<string, unknown>;
interface PodLike {
  metadata: Json;
  spec: Json;
}

/** An object as a manifest has it. */
export type Written = PodLike & Json;

/** What the API server and the kubelet wrote into a pod. */
const WRITTEN = ["uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "selfLink"];

/** A pod as somebody would write it to have it again: without node, status and what identifies the old one. */
export function anew(pod: PodLike): Json & PodLike {
  const metadata = Object.fromEntries(Object.entries(pod.metadata).filter(([name]) => !WRITTEN.includes(name)));
  const spec = { ...pod.spec };
  delete spec["nodeName"];
  delete spec["priority"];
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "default", ...metadata }, spec };
}

/** Deletes a pod and applies it again as it is to be. */
export function replacing(pod: PodLike): Edit[] {
  const { metadata } = pod;
  const key = `Pod/${String(metadata["namespace"] ?? "default")}/${String(metadata["name"])}`;
  return [
    { kind: "delete", object: key, graceSeconds: 0 },
    { kind: "apply", objects: [anew(pod)] },
  ];
}

/** A pod that may be on one node only: the scheduler puts it there if it fits, and says why where it does not. */
export function pinned(pod: PodLike, node: string): PodLike {
  const affinity = (pod.spec["affinity"] ?? {}) as Json;
  const nodeAffinity = (affinity["nodeAffinity"] ?? {}) as Json;
  const here = { key: "metadata.name", operator: "In", values: [node] };
  const required = nodeAffinity["requiredDuringSchedulingIgnoredDuringExecution"] as { nodeSelectorTerms?: Json[] } | undefined;
  const terms = required?.nodeSelectorTerms?.length ? required.nodeSelectorTerms : [{}];
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchFields: [here] }));
  return {
    ...pod,
    spec: { ...pod.spec, affinity: { ...affinity, nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } },
  };
}

/** What takes one JSON value to another as a merge patch (RFC 7386); undefined where they are the same. */
export function mergePatchOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const patch: Json = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!(name in after)) patch[name] = null;
    else {
      const change = name in before ? mergePatchOf(before[name], after[name]) : after[name];
      if (change !== undefined) patch[name] = change;
    }
  }
  return Object.keys(patch).length ? patch : undefined;
}

/** What the API server lets anybody change of a pod. */
const CHANGEABLE = new Set(["tolerations", "activeDeadlineSeconds", "terminationGracePeriodSeconds"]);

/** The edits that make an object what it is to be: a patch, or for a pod what the API server would refuse as one. */
export function editsOf(key: string, before: Written, after: Written): Edit[] {
  const patch = mergePatchOf(before, after) as Json | undefined;
  if (patch === undefined) return [];
  const spec = patch["spec"];
  const asPatch = before["kind"] !== "Pod" || !isObject(spec) || Object.keys(spec).every((name) => CHANGEABLE.has(name));
  return asPatch ? [{ kind: "mergePatch", object: key, patch }] : replacing(after);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
