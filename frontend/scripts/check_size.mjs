// Fails where the first load has more compressed script than its budget.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET = 250_000;
const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));

const files = new Set();
const follow = (key) => {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const next of chunk.imports ?? []) follow(next);
};
follow("src/main.ts");

const size = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
console.log(`first load: ${(size / 1000).toFixed(1)} kB of compressed script, budget ${BUDGET / 1000} kB`);
if (size > BUDGET) process.exit(1);
