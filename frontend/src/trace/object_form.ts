/** The usual fields of pods, workloads and nodes: where they stand, how they are written, how they are put back. */

type Json = Record<string, unknown>;

export interface FormField {
  label: string;
  /** `[]` is the first item of a list. */
  path: string[];
  kind: "text" | "number" | "quantity" | "pairs" | "taints" | "tolerations" | "flag" | "lines";
  hint?: string;
  only?: "one";
}

const META: FormField[] = [
  { label: "Name", path: ["metadata", "name"], kind: "text" },
  { label: "Labels", path: ["metadata", "labels"], kind: "pairs", hint: "app=web, tier=front" },
];
const NAMESPACE: FormField = { label: "Namespace", path: ["metadata", "namespace"], kind: "text", hint: "default" };

function podFields(spec: string[]): FormField[] {
  const container = [...spec, "containers", "[]"];
  return [
    { label: "cpu", path: [...container, "resources", "requests", "cpu"], kind: "quantity", hint: "500m" },
    { label: "memory", path: [...container, "resources", "requests", "memory"], kind: "quantity", hint: "256Mi" },
    { label: "Image", path: [...container, "image"], kind: "text" },
    { label: "Node labels", path: [...spec, "nodeSelector"], kind: "pairs", hint: "disk=ssd" },
    { label: "Tolerations", path: [...spec, "tolerations"], kind: "tolerations", hint: "key=value:NoSchedule" },
    { label: "Priority class", path: [...spec, "priorityClassName"], kind: "text" },
  ];
}

const NODE: FormField[] = [
  ...META,
  { label: "cpu", path: ["status", "allocatable", "cpu"], kind: "quantity", hint: "4" },
  { label: "memory", path: ["status", "allocatable", "memory"], kind: "quantity", hint: "16Gi" },
  { label: "pods", path: ["status", "allocatable", "pods"], kind: "quantity", hint: "110" },
  { label: "Taints", path: ["spec", "taints"], kind: "taints", hint: "key=value:NoSchedule" },
  { label: "Cordoned", path: ["spec", "unschedulable"], kind: "flag" },
];
const REPLICAS: FormField = { label: "Replicas", path: ["spec", "replicas"], kind: "number" };
const WORKLOADS = new Set(["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"]);

/** The fields that a kind has in a form; none where there is no form for it. */
export function formFields(kind: string): FormField[] {
  if (kind === "Node") return NODE;
  if (kind === "Pod") return [META[0]!, NAMESPACE, META[1]!, ...podFields(["spec"])];
  if (WORKLOADS.has(kind)) return [META[0]!, NAMESPACE, REPLICAS, ...podFields(["spec", "template", "spec"])];
  return kind === "DaemonSet" ? [META[0]!, NAMESPACE, ...podFields(["spec", "template", "spec"])] : [];
}

/** What stands in a field, as it is written in the form. */
export function shown(object: unknown, field: FormField): string {
  let value: unknown = object;
  for (const name of field.path) value = name === "[]" ? (value as unknown[] | undefined)?.[0] : (value as Json | undefined)?.[name];
  if (value === undefined || value === null) return "";
  if (field.kind === "pairs") return Object.entries(value as Record<string, string>).map(([key, each]) => `${key}=${each}`).join(", ");
  if (field.kind === "taints" || field.kind === "tolerations") return (value as Json[]).map(written).join(", ");
  return String(value as string | number | boolean);
}

function written({ key, value, effect, operator }: Json): string {
  const name = typeof key === "string" && key ? key : "*";
  const equal = typeof value === "string" && value && operator !== "Exists" ? `=${value}` : "";
  return `${name}${equal}${typeof effect === "string" && effect ? `:${effect}` : ""}`;
}

/** What the form says as the value of its field; undefined takes the field away. */
export function valueOf(text: string, field: FormField): unknown {
  const trimmed = text.trim();
  if (field.kind === "flag") return trimmed === "true" ? true : undefined;
  if (trimmed === "") return undefined;
  if (field.kind === "number") return Number(trimmed);
  const parts = trimmed.split(/[,\s]+/).filter(Boolean);
  if (field.kind === "pairs") return Object.fromEntries(parts.map((part) => [part.split("=", 1)[0]!, part.includes("=") ? part.slice(part.indexOf("=") + 1) : ""]));
  if (field.kind === "taints") return parts.map((part) => keyed(part, "NoSchedule", false));
  if (field.kind === "tolerations") return parts.map((part) => keyed(part, "", true));
  return trimmed;
}

function keyed(text: string, usual: string, tolerates: boolean): Json {
  const colon = text.lastIndexOf(":");
  const effect = colon < 0 ? usual : text.slice(colon + 1);
  const rest = colon < 0 ? text : text.slice(0, colon);
  const equal = rest.indexOf("=");
  const key = equal < 0 ? rest : rest.slice(0, equal);
  return {
    ...(key && key !== "*" ? { key } : {}),
    ...(tolerates && equal < 0 ? { operator: "Exists" } : {}),
    ...(equal < 0 ? {} : { value: rest.slice(equal + 1) }),
    ...(effect ? { effect } : {}),
  };
}

/** The object with another value at a path; parents are made, and emptied ones are taken away. */
export function withValue(object: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === "[]") {
    const [first, ...others] = Array.isArray(object) ? (object as unknown[]) : [];
    return [withValue(first ?? {}, rest, value), ...others];
  }
  const parent = { ...((object ?? {}) as Json) };
  const next = withValue(parent[name], rest, value);
  const isEmpty = next === undefined || (typeof next === "object" && next !== null && !Array.isArray(next) && Object.keys(next).length === 0);
  if (isEmpty) delete parent[name];
  else parent[name] = next;
  return parent;
}
