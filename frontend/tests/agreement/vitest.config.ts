import { defineConfig } from "vitest/config";

/** Run by tests/properties/test_counts.py, which names the folder of recordings in RECORDINGS. */
export default defineConfig({ test: { environment: "node", include: ["tests/agreement/*.agreement.ts"] } });
