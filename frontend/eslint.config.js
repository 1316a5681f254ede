import importX, { createNodeResolver } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** Layers, lower may never import higher: elements → trace → api → base. */
const layers = ["base", "api", "trace", "elements"];
const zones = layers.flatMap((layer, rank) =>
  layers.slice(rank + 1).map((higher) => ({
    target: `./src/${layer}`,
    from: `./src/${higher}`,
    message: `${layer} may not import ${higher}: elements → trace → api → base.`,
  })),
);

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/events.gen.ts"] },
  ...tseslint.configs.recommended,
  {
    files: ["src/**/*.ts"],
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".js"] })],
      "import-x/extensions": [".ts"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
    },
    rules: {
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-cycle": "error",
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      "no-console": "error",
      eqeqeq: "error",
      "prefer-const": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  { files: ["scripts/**/*.mjs"], languageOptions: { globals: { process: "readonly", console: "readonly" } } },
);
