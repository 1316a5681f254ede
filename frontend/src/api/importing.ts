/** Files to the server and back a cluster: at once where they are few, else by a job that is followed. */

import { send } from "./client";
import { ApiError } from "./problem";
import type { Cluster, FieldError, JobInfo } from "./types";

const ASK_MS = 300;
/** A small import is worth waiting for: no bar appears for it. */
const PREFER = "respond-async, wait=1";

export interface Chosen {
  file: File;
  /** The path below the chosen folder; the name alone for single files. */
  path: string;
}

export interface ImportOptions {
  name?: string;
  redact?: boolean;
  skipInvalid?: boolean;
}

export const READ = /\.(ya?ml|json|tgz|tar|gz|zip)$/i;

/** Files of a folder that may be read; hidden ones and what is no manifest stay where they are. */
export function worthSending(path: string): boolean {
  return READ.test(path) && !path.split("/").some((part) => part.startsWith(".") && part !== "." && part !== "..");
}

export function formOf(files: readonly Chosen[]): FormData {
  const form = new FormData();
  for (const { file, path } of files) {
    form.append("file", file, file.name);
    form.append("path", path);
  }
  return form;
}

/** The cluster that became of the files; `tell` hears of the job as long as there is one. */
export async function importFiles(
  files: readonly Chosen[],
  options: ImportOptions,
  tell: (job: JobInfo) => void,
  signal: AbortSignal,
): Promise<string> {
  const query = new URLSearchParams();
  if (options.name) query.set("name", options.name);
  if (options.redact) query.set("redact", "true");
  if (options.skipInvalid) query.set("skip_invalid", "true");
  const path = `clusters/import${query.size ? `?${query}` : ""}`;
  const answer = await send(path, { method: "POST", body: formOf(files), headers: { Prefer: PREFER }, signal });
  if (answer.status !== 202) return ((await answer.json()) as Cluster).id as string;
  return follow((await answer.json()) as JobInfo, tell, signal);
}

async function follow(first: JobInfo, tell: (job: JobInfo) => void, signal: AbortSignal): Promise<string> {
  let job = first;
  while (job.status === "pending" || job.status === "running") {
    tell(job);
    await pause(ASK_MS, signal);
    job = (await (await send(`jobs/${job.id}`, { signal })).json()) as JobInfo;
  }
  const cluster = job.result?.["cluster"];
  if (job.status === "finished" && typeof cluster === "string") return cluster;
  const status = job.status === "failed" ? Number(job.result?.["status"] ?? 422) : 409;
  throw new ApiError(status, { detail: job.message, errors: job.errors as FieldError[] });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException("", "AbortError"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    setTimeout(resolve, ms);
  });
}

export const cancelJob = (id: string) => send(`jobs/${id}/cancel`, { method: "POST" });

/** What was dropped, folders walked through. */
export async function droppedFiles(data: DataTransfer): Promise<Chosen[]> {
  // Entries must be asked for before the first await: afterwards the drop is over.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null).filter((entry) => entry !== null);
  if (!entries.some((entry) => entry.isDirectory)) return [...data.files].map((file) => ({ file, path: file.name }));
  const found: Chosen[] = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: Chosen[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    if (!worthSending(path)) return;
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const each of some) await walk(each, found);
  }
}
