// Runs as `prepack` in a library's folder: lib/ becomes what is published. One small module for each entry point (shared parts
// beside it), and the declarations that those entry points reach. dist/, which tsc writes, is for the workspace.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const entries = Object.values(manifest.publishConfig.exports)
  .filter((target) => typeof target === 'object')
  .map(({ default: file }) => file.replace(/^\.\/lib\/(.*)\.js$/, '$1'));
const lib = join(folder, 'lib');
rmSync(lib, { recursive: true, force: true });

await build({
  absWorkingDir: folder,
  entryPoints: Object.fromEntries(entries.map((entry) => [entry, `dist/${entry}.js`])),
  outdir: 'lib',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*', ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })],
  minify: true,
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});

const seen = new Set();
const pending = entries.map((entry) => join(folder, 'dist', `${entry}.d.ts`));
for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
  if (seen.has(file)) continue;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from, dynamic] of text.matchAll(
    /\bfrom ['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/g,
  )) {
    pending.push(resolve(dirname(file), (from ?? dynamic).replace(/\.(ts|js)$/, '.d.ts')));
  }
  const target = join(lib, relative(join(folder, 'dist'), file));
  mkdirSync(dirname(target), { recursive: true });
  // tsc indents by four spaces; one says the same.
  writeFileSync(
    target,
    text.replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4)),
  );
}
