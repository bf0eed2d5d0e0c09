// Runs as `prepack` in a library's folder: lib/ becomes what is published. One small module and one file of declarations for each
// entry point, with what they share beside them. dist/, which tsc writes, is for the workspace.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Types whose members keep their comments: the contract that formats are written against, and what callers fill in or print. */
const CONTRACT =
  /^(?:export )?(?:interface|type) (?:\w+Options|Container|Detection|DocumentRoot|Fidelity|Format|Head|Issue|Place|Reader|RecordValue|SourceRecord|Writer|WrittenRecord)\b/m;

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const entries = Object.values(manifest.publishConfig.exports)
  .filter((target) => typeof target === 'object')
  .map(({ default: file }) => file.replace(/^\.\/lib\/(.*)\.js$/, '$1'));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
rmSync(join(folder, 'lib'), { recursive: true, force: true });
mkdirSync(join(folder, 'lib'));

// Published JSON (schemas) says the same without its white space.
for (const [entry, target] of Object.entries(manifest.publishConfig.exports)) {
  if (typeof target !== 'string' || !target.startsWith('./lib/') || !target.endsWith('.json')) continue;
  const text = JSON.stringify(JSON.parse(readFileSync(join(folder, manifest.exports[entry]), 'utf8')));
  writeFileSync(join(folder, 'lib', basename(target)), `${text}\n`);
}

/** What a package does not hold itself. */
const external = (id) =>
  id.startsWith('node:') || dependencies.some((name) => id === name || id.startsWith(`${name}/`));

// rollup writes once what the modules import of a dependency, where esbuild leaves a statement for each of them; esbuild makes it small.
const merged = join(folder, 'lib/merged');
const code = await rollup({
  input: Object.fromEntries(entries.map((entry) => [entry, join(folder, `dist/${entry}.js`)])),
  external,
});
await code.write({ dir: merged, entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' });
await code.close();
await build({
  entryPoints: entries.map((entry) => join(merged, `${entry}.js`)),
  outdir: join(folder, 'lib'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*', ...dependencies],
  minify: true,
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});
rmSync(merged, { recursive: true });

const declarations = await rollup({
  input: Object.fromEntries(entries.map((entry) => [entry, join(folder, `dist/${entry}.d.ts`)])),
  external,
  // The declarations are all that is read: whatever they name outside of the package stays an import.
  plugins: [dts({ respectExternal: false }), { name: 'slim', renderChunk: slim }],
});
await declarations.write({
  dir: join(folder, 'lib'),
  entryFileNames: '[name].d.ts',
  chunkFileNames: 'shared-[hash].d.ts',
});
await declarations.close();

/**
 * The same declarations in less space: tsc indents by four spaces, and one says the same. A comment keeps its first sentence, by
 * convention the whole in short; members of types that come out of functions go without.
 */
function slim(code) {
  return code
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4))
    .replaceAll(/\/\*\*([\s\S]*?)\*\//g, (_, text) => {
      const flat = text
        .replaceAll(/^\s*\*\s?/gm, ' ')
        .replaceAll(/\s+/g, ' ')
        // Sections and decisions are named for those who have the specifications at hand.
        .replaceAll(/ \((?:storyline-v1|decisions?|RFC-)[^)]*\)/g, '')
        .trim();
      return `/** ${/^.*?[.:](?= [A-Z`{-]|$)/.exec(flat)?.[0] ?? flat} */`;
    })
    .split(/^(?=\S)/m)
    .map((block) => (CONTRACT.test(block) ? block : block.replaceAll(/^ +\/\*\* .*? \*\/\n/gm, '')))
    .join('');
}
