import { defineConfig } from 'vitest/config';

// Tests run against the sources (the `@pchronicle/source` export condition); only tests that
// start processes (CLI, kill -9) use `dist/`, which `npm test` builds first.
export default defineConfig({
  resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
