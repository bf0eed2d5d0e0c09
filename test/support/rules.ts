/** Third parties that a library may depend on at run time; a package that is not named here has none. The one place to change that. */
export const allowedThirdParties: { readonly [name: string]: readonly string[] } = {
  '@pchronicle/store-lance': [
    '@lancedb/lancedb',
    'apache-arrow',
    '@duckdb/node-api',
    '@duckdb/node-bindings',
  ],
  '@pchronicle/format-forkline': ['node-sqlite3-wasm'],
  '@pchronicle/conformance': ['fast-check', 'vitest'],
};

/** Entry points that need Node; all others run in a browser. */
export const nodeEntries: { readonly [name: string]: readonly string[] } = {
  '@pchronicle/storyline-core': ['./node'],
  '@pchronicle/format-forkline': ['./sqlite'],
  '@pchronicle/store-lance': ['.', './sql'],
};

/** Largest browser bundle of a package's main entry with its dependencies, minified and compressed, in bytes, where it is not the usual one. */
export const bundleBudget: { readonly [name: string]: number } = {
  '@pchronicle/conformance': 150_000,
  // Eight shapes of files, and the views of all of them.
  '@pchronicle/format-ankole': 64_000,
};

/** The usual bundle budget, in bytes. */
export const usualBundleBudget = 60_000;

/** Largest source file, in bytes: a file holds one concept. */
export const sourceFileBudget = 12_000;
