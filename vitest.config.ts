import { defineConfig } from 'vitest/config';

// Tests run against the sources (the `@pchronicle/source` export condition); only tests that
// start processes (CLI, kill -9) use `dist/`, which `npm test` builds first.
export default defineConfig({
  resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'templates/*/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    // One seed for everything that is generated: see test/support/seed.ts.
    // Lance panics over the damaged files of tests: without stacks, whatever the environment says.
    env: { PCHRONICLE_SEED: process.env.PCHRONICLE_SEED ?? '20261129', RUST_BACKTRACE: '0' },
    setupFiles: ['test/support/seed.ts'],
    // Stores are native code and tests start processes of their own: processes, not threads, and no more than two at a time.
    pool: 'forks',
    maxWorkers: 2,
    // Only a hang takes so long, on a machine however busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
