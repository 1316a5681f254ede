/** Whether a refused dump holds objects that are right: only then it is worth asking for them alone. */

import type { FieldError } from "./types";

/** Larger files are not counted: in so much something is right. */
const MOST_BYTES = 8 << 20;
const KIND = /^(?:[ \t]*|[ \t]*-[ \t]+)kind[ \t]*:|"kind"[ \t]*:/gm;

export interface Readable {
  name: string;
  size: number;
  text(): Promise<string>;
}

export async function somethingRight(files: readonly Readable[], errors: readonly FieldError[]): Promise<boolean> {
  if (errors.length === 0) return false;
  for (const file of files) {
    const packed = errors.some((error) => error.file?.startsWith(`${file.name}/`));
    if (packed) return true;
    const wrong = errors.filter((error) => !error.file || error.file === file.name || error.file.endsWith(`/${file.name}`));
    if (wrong.some((error) => error.type === "Limit")) continue;
    if (file.size > MOST_BYTES || rightIn(await file.text(), wrong) > 0) return true;
  }
  return false;
}

/** How many objects of a text no error is about; a document that cannot be read has none. */
export function rightIn(text: string, errors: readonly FieldError[]): number {
  const documents = text.replace(/^(?:\s*(?:#.*)?\n)*---.*\n/, "").split(/^---(?:[ \t].*)?$/m);
  const right = documents.map((document, at) => {
    const wrong = errors.filter((error) => (error.document ?? 1) === at + 1);
    if (wrong.some((error) => error.type === "Syntax")) return 0;
    return objectsIn(document) - new Set(wrong.map(ownerOf)).size;
  });
  return right.reduce((sum, one) => sum + Math.max(0, one), 0);
}

function objectsIn(document: string): number {
  const kinds = document.match(KIND)?.length ?? 0;
  const isList = /kind"?[ \t]*:[ \t]*"?(?:\w*List)\b/.test(document);
  return isList ? kinds - 1 : kinds;
}

/** What an error is about: the object by its name, or its place in the list. */
function ownerOf(error: FieldError): string {
  return error.object || (/^items\[\d+\]/.exec(error.field ?? "")?.[0] ?? "");
}
