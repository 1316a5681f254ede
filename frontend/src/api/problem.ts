/** Errors as sentences: what, where, what to do. */

import type { FieldError, Problem } from "./types";

/** An answer that is not a success, with the located errors it named. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: FieldError[];

  constructor(status: number, problem: Problem) {
    super(problem.detail || problem.title || fallback(status));
    this.status = status;
    this.errors = problem.errors ?? [];
  }
}

function fallback(status: number): string {
  if (status === 0) return "The server did not answer. Is it still running?";
  if (status === 404) return "There is nothing with this address. It may have been deleted.";
  if (status === 413) return "This is more than the server takes. Leave out what the scheduler does not read, or split it.";
  if (status >= 500) return "The server failed on this request. Its log says more.";
  return `The server refused the request (${status}).`;
}

/** Reads what a failed response says; answers that are no problem document get a sentence by their status. */
export async function errorOf(response: Response): Promise<ApiError> {
  let problem: Problem = {};
  try {
    const body: unknown = await response.json();
    if (body !== null && typeof body === "object") problem = body as Problem;
  } catch {
    // Not JSON: the status has to do.
  }
  return new ApiError(response.status, problem);
}

/** "dump.yaml, document 2, line 14" – whatever is known of the place. */
export function placeOf(error: FieldError): string {
  const parts = [];
  if (error.file) parts.push(error.file);
  if (error.document && (error.document > 1 || !error.line)) parts.push(`document ${error.document}`);
  if (error.line) parts.push(error.column ? `line ${error.line}:${error.column}` : `line ${error.line}`);
  return parts.join(", ");
}

/** "Pod api-7, container main" – whose the field is. */
export function ownerOf(error: FieldError): string {
  return [error.object, error.container ? `container ${error.container}` : ""].filter(Boolean).join(", ");
}

/** `spec.containers[0].resources.requests[cpu]: "6GiB"` – the field and the value that is wrong. */
export function fieldOf(error: FieldError): string {
  const given = error.value !== undefined && error.value !== null && error.value !== "";
  return [error.field, given ? JSON.stringify(error.value) : ""].filter(Boolean).join(": ");
}

const OURS = ["Decode", "Syntax", "Limit"];

/** What is wrong with it, in upstream's words where they are upstream's. */
export function causeOf(error: FieldError): string {
  const upstream = error.type && !OURS.includes(error.type) && !error.message.startsWith(error.type);
  return upstream ? `${error.type}: ${error.message}`.replace(/: $/, "") : error.message;
}

/** All of it but the place, in one line. */
export function sentenceOf(error: FieldError): string {
  return [ownerOf(error), fieldOf(error), causeOf(error)].filter(Boolean).join(": ") + (error.hint ? ` (${error.hint})` : "");
}
