/** What a KubeSchedulerConfiguration may say, in the form in which the editor knows what manifests may say. */

import type { ManifestSchema, SchemaField } from "../api/manifest_schema";
import type { Catalogue } from "../api/profiles";

type Fields = Record<string, SchemaField>;

const number = (doc: string): SchemaField => ({ type: "number", doc });
const text = (doc: string): SchemaField => ({ type: "text", doc });
const list = (type: string, doc: string): SchemaField => ({ type, form: "list", doc });

const CONFIG: Fields = {
  apiVersion: text("kubescheduler.config.k8s.io/v1"),
  kind: text("KubeSchedulerConfiguration"),
  profiles: list("Profile", "Each schedules the pods that name it as their schedulerName."),
  extenders: list("Extender", "Services that filter, score and bind too."),
  percentageOfNodesToScore: number("How many of the nodes are looked for; 0: by the size of the cluster."),
  podInitialBackoffSeconds: number("How long a pod waits after its first attempt."),
  podMaxBackoffSeconds: number("How long it waits at most."),
  parallelism: number("Without effect here: nodes are looked at one after the other."),
};
const PROFILE: Fields = {
  schedulerName: text("What pods write as spec.schedulerName."),
  percentageOfNodesToScore: number("Of this profile, instead of the number for all."),
  plugins: { type: "Plugins", doc: "Which plugins run at which extension point." },
  pluginConfig: list("PluginConfig", "Arguments of plugins."),
};
const SET: Fields = { enabled: list("Plugin", "After the defaults, in this order."), disabled: list("Disabled", "Defaults that do not run; * is all of them.") };
const EXTENDER: Fields = {
  urlPrefix: text("Where it listens."),
  filterVerb: text("Appended to the address for filtering."),
  prioritizeVerb: text("Appended for scoring."),
  preemptVerb: text("Appended for preemption."),
  bindVerb: text("Appended for binding."),
  weight: number("Of its scores."),
  ignorable: { type: "flag", doc: "Whether its failure is no failure." },
  nodeCacheCapable: { type: "flag", doc: "Whether it takes names instead of nodes." },
};

export function configSchema(catalogue: Catalogue): ManifestSchema {
  const names = catalogue.plugins.map((plugin) => plugin.name);
  const points = Object.fromEntries([...Object.keys(catalogue.points), "multiPoint"].map((point) => [point, { type: "PluginSet", doc: point === "multiPoint" ? "At every point where the plugin can serve." : "" }]));
  const args: Fields = {};
  for (const plugin of catalogue.plugins) {
    for (const [name, value] of Object.entries(plugin.defaultArgs)) args[name] = { ...fieldOf(value), doc: `Of ${plugin.name}. By default ${JSON.stringify(value)}.` };
  }
  return {
    kinds: { KubeSchedulerConfiguration: { api_version: "kubescheduler.config.k8s.io/v1", type: "Config", namespaced: false, doc: "How kube-scheduler decides." } },
    types: {
      Config: CONFIG,
      Profile: PROFILE,
      Plugins: points,
      PluginSet: SET,
      Plugin: { name: { type: "text", values: names }, weight: number("Of its scores; without one 1.") },
      Disabled: { name: { type: "text", values: ["\"*\"", ...names] } },
      PluginConfig: { name: { type: "text", values: names.filter((name) => name === "NodeAffinity" || catalogue.plugins.some((plugin) => plugin.name === name && Object.keys(plugin.defaultArgs).length)) }, args: { type: "Args", doc: "What differs from the defaults." } },
      Args: { ...args, shape: list("Shape", "Of VolumeBinding: scores by storage used."), defaultConstraints: list("Constraint", "Of PodTopologySpread: for pods that have none."), addedAffinity: { type: "any", doc: "Of NodeAffinity: holds for every pod of the profile." } },
      Strategy: {
        type: { type: "text", values: ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"] },
        resources: list("Resource", "What counts, and how much."),
        requestedToCapacityRatio: { type: "Ratio", doc: "Where the type says so." },
      },
      Ratio: { shape: list("Shape", "Scores by utilisation.") },
      Shape: { utilization: number("0 to 100"), score: number("0 to 10") },
      Resource: { name: { type: "text", values: ["cpu", "memory", "ephemeral-storage"] }, weight: number("1 to 100") },
      Constraint: { maxSkew: number("At least 1."), topologyKey: text("A label of nodes."), whenUnsatisfiable: { type: "text", values: ["ScheduleAnyway", "DoNotSchedule"] } },
      Extender: EXTENDER,
    },
  };
}

/** A field as its default has it. */
function fieldOf(value: unknown): SchemaField {
  if (typeof value === "number") return { type: "number" };
  if (typeof value === "boolean") return { type: "flag" };
  if (Array.isArray(value)) return { type: typeOfItems(value), form: "list" };
  return { type: typeof value === "object" ? "Strategy" : "text", ...(value === "System" ? { values: ["System", "List"] } : {}) };
}

function typeOfItems(value: readonly unknown[]): string {
  return value.some((item) => typeof item === "object") ? "Resource" : "text";
}
