// Leaves compressed copies beside what was built, and fails where the first load has more script than its budget.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const BUDGET = 250_000;
const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");

const sizes = new Map();
for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const content = readFileSync(join(dist, name));
  const zipped = gzipSync(content, { level: 9 });
  writeFileSync(join(dist, `${name}.gz`), zipped);
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(content));
  sizes.set(name, zipped.length);
}

const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));
const first = new Set();
const follow = (key) => {
  const chunk = manifest[key];
  if (!chunk || first.has(chunk.file)) return;
  first.add(chunk.file);
  for (const next of chunk.imports ?? []) follow(next);
};
follow("src/main.ts");

const size = [...first].reduce((sum, file) => sum + sizes.get(file), 0);
console.log(`first load: ${(size / 1000).toFixed(1)} kB of compressed script, budget ${BUDGET / 1000} kB`);
if (size > BUDGET) process.exit(1);
