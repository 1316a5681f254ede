import { defineConfig } from "vitest/config";

/** Built files are served by Django under /static/; django-vite reads the manifest. */
export default defineConfig({
  base: "/static/",
  publicDir: "public",
  build: {
    outDir: "dist",
    manifest: "manifest.json",
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: { input: "src/main.ts" },
  },
  test: { environment: "node", include: ["tests/**/*.test.ts"] },
});
