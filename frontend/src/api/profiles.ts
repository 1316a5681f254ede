/** Configurations of the scheduler: as text, as a form, kept by name. */

import { send } from "./client";

export interface PluginPlace {
  name: string;
  /** Of its scores; absent at other points. */
  weight?: number;
}

export type Arguments = Record<string, unknown>;

export interface ProfileForm {
  schedulerName: string;
  percentageOfNodesToScore: number | null;
  points: Record<string, PluginPlace[]>;
  /** The arguments that are not the defaults, by plugin. */
  args: Record<string, Arguments>;
}

export interface ConfigForm {
  profiles: ProfileForm[];
  percentageOfNodesToScore: number;
  podInitialBackoffSeconds: number;
  podMaxBackoffSeconds: number;
}

export interface PluginInfo {
  name: string;
  points: string[];
  defaultWeight: number;
  defaultArgs: Arguments;
}

export interface Catalogue {
  plugins: PluginInfo[];
  /** The default profile. */
  points: Record<string, PluginPlace[]>;
}

export type Change = "profile" | "added" | "removed" | "moved" | "weight" | "args" | "setting";

/** One thing that is not as by default. */
export interface Difference {
  profile: string;
  change: Change;
  plugin: string;
  point: string;
  text: string;
}

export interface ReadConfig {
  form: ConfigForm;
  differences: Difference[];
}

export interface StoredProfile {
  id: string;
  name: string;
  config: string;
}

/** A stored profile, and the tag that a change of it is held against. */
export interface Kept {
  profile: StoredProfile;
  etag: string;
}

const JSON_TYPE = { "Content-Type": "application/json" };

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await send(path, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body), signal })).json()) as T;
}

/** What a profile can be made of. */
export async function readCatalogue(): Promise<Catalogue> {
  return (await (await send("profiles/catalogue")).json()) as Catalogue;
}

/** The form of a text; what is wrong with it is an ApiError with the lines. */
export async function readConfig(config: string, signal: AbortSignal): Promise<ReadConfig> {
  const found = await post<{ form: Partial<ConfigForm>; differences: Difference[] }>("profiles/form", { config }, signal);
  const { form } = found;
  return {
    form: {
      profiles: (form.profiles ?? []).map((profile) => ({ ...profile, percentageOfNodesToScore: profile.percentageOfNodesToScore ?? null })),
      percentageOfNodesToScore: form.percentageOfNodesToScore ?? 0,
      podInitialBackoffSeconds: form.podInitialBackoffSeconds ?? 1,
      podMaxBackoffSeconds: form.podMaxBackoffSeconds ?? 10,
    },
    differences: found.differences,
  };
}

/** The text of a form; whatever the form does not show is taken over from the text so far. */
export async function writeConfig(form: ConfigForm, config: string, signal: AbortSignal): Promise<string> {
  return (await post<{ config: string }>("profiles/text", { form, config }, signal)).config;
}

/** Keeps a profile; without an identifier as a new one, with an empty tag whatever is stored now. */
export async function keepProfile(name: string, config: string, id: string, etag: string): Promise<Kept> {
  const headers: Record<string, string> = { ...JSON_TYPE };
  if (etag) headers["If-Match"] = etag;
  const init = { method: id ? "PUT" : "POST", headers, body: JSON.stringify({ name, config }) };
  return keptOf(await send(id ? `profiles/${id}` : "profiles", init));
}

export async function readProfile(id: string): Promise<Kept> {
  return keptOf(await send(`profiles/${id}`));
}

async function keptOf(response: Response): Promise<Kept> {
  return { profile: (await response.json()) as StoredProfile, etag: response.headers.get("ETag") ?? "" };
}
