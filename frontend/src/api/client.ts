/** The REST interface, as far as pages use it. Pages use nothing else. */

import { ApiError, errorOf } from "./problem";
import type { TraceEvent } from "./events.gen";
import type { CycleDetail, NodeItem, PodItem, RunInfo } from "./types";

const ROOT = "/api/v1";
const PAGE = 5000;

type Id = number | string;

function cookie(name: string): string {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/** One request; anything but a success becomes an ApiError with the sentences of the answer. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Accept", "application/json, application/problem+json");
  if (init.method && init.method !== "GET") headers.set("X-CSRFToken", cookie("csrftoken"));
  let response: Response;
  try {
    response = await fetch(path.startsWith("/") || path.startsWith("http") ? path : `${ROOT}/${path}`, {
      ...init,
      headers,
      credentials: "same-origin",
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError(0, {});
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await send(path, init)).json()) as T;
}

interface Page<T> {
  count: number;
  results: T[];
  next: string | null;
}

/** Every item of a paginated list; what follows the first page is read at once. */
async function readAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const first: Page<T> | T[] = await read(path, { signal });
  if (Array.isArray(first)) return first;
  if (!first.next) return first.results;
  const next = new URL(pathOf(first.next), location.href);
  const size = first.results.length;
  const rest: Promise<Page<T>>[] = [];
  for (let offset = size; offset < first.count; offset += size) {
    next.searchParams.set("offset", String(offset));
    rest.push(read(pathOf(next.href), { signal }));
  }
  return first.results.concat(...(await Promise.all(rest)).map((page) => page.results));
}

/** The path and query of an absolute address: pages ask only where they came from. */
function pathOf(address: string): string {
  const url = new URL(address, location.href);
  return url.pathname + url.search;
}

export interface EventsPage {
  events: TraceEvent[];
  last_seq: number;
  status: RunInfo["status"];
}

export const api = {
  nodes: (cluster: Id, revision: string | undefined, signal?: AbortSignal) =>
    readAll<NodeItem>(`clusters/${cluster}/nodes?limit=${PAGE}${revisionQuery(revision)}`, signal),
  pods: (cluster: Id, revision: string | undefined, signal?: AbortSignal) =>
    readAll<PodItem>(`clusters/${cluster}/pods?limit=${PAGE}${revisionQuery(revision)}`, signal),
  run: (id: Id) => read<RunInfo>(`runs/${id}`),
  goOn: (id: Id) => send(`runs/${id}/continue`, { method: "POST" }),
  cancel: (id: Id) => send(`runs/${id}/cancel`, { method: "POST" }),
  events: (id: Id, after: number, limit = PAGE) => read<EventsPage>(`runs/${id}/events?after=${after}&limit=${limit}`),
};

function revisionQuery(revision: string | undefined): string {
  return revision ? `&revision=${encodeURIComponent(revision)}` : "";
}

export type DetailAnswer = { detail: CycleDetail } | { retryAfter: number };

/**
 * One cycle's detail, or how long to wait before asking again while it is computed again. With `wait` the server itself
 * waits, for so many seconds at most.
 */
export async function cycleDetail(run: Id, cycle: number, signal: AbortSignal, wait = 0): Promise<DetailAnswer> {
  const headers: HeadersInit = wait ? { Prefer: `wait=${wait}` } : {};
  const response = await send(`runs/${run}/cycles/${cycle}`, { signal, headers });
  if (response.status !== 202) return { detail: (await response.json()) as CycleDetail };
  const hasWaited = response.headers.has("Preference-Applied");
  return { retryAfter: hasWaited ? 0 : Number(response.headers.get("Retry-After") ?? "1") || 1 };
}
