import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('adds less than 20 kB to a page that has the hub, and nothing of Node', async () => {
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  const contents = `export { exportOpenaiMessages, importOpenaiMessages } from './src/index.ts';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['@pchronicle/storyline-core'],
    write: false,
    logLevel: 'silent',
  });
  const [bundle] = outputFiles;
  expect(bundle?.text).toContain('session_steps');
  expect(bundle?.text).not.toMatch(/from\s*["']node:/);
  const size = gzipSync(bundle?.contents ?? new Uint8Array(0), { level: 9 }).length;
  expect(size).toBeLessThan(20_000);
});

test('depends on the hub alone', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(Object.keys(manifest.dependencies)).toEqual(['@pchronicle/storyline-core']);
  expect(manifest.peerDependencies).toBeUndefined();
});
