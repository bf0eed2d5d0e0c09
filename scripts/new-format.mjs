// `npm run new-format NAME`: a new format package that works, from templates/format.
// Options: --into FOLDER (default packages), --no-install.
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePnpm, install, root } from './workspace.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { into: { type: 'string' }, install: { type: 'boolean', default: true } },
});
const [name] = positionals;
if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
  console.error('usage: npm run new-format NAME   (small letters, digits and dashes: my-format)');
  process.exit(2);
}

const inWorkspace = values.into === undefined;
const folder = resolve(values.into ?? join(root, 'packages'), `format-${name}`);
if (existsSync(folder)) {
  console.error(`${folder} exists already; nothing was changed`);
  process.exit(1);
}

const template = join(root, 'templates/format');
const leftOut = new Set(['node_modules', 'dist', '.turbo']);
cpSync(template, folder, {
  recursive: true,
  filter: (source) =>
    !relative(template, source)
      .split(/[\\/]/)
      .some((part) => leftOut.has(part)),
});

const pascal = name.replace(/(?:^|-)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const camel = pascal[0].toLowerCase() + pascal.slice(1);

/** The template's name, in each of its spellings, becomes the new one. */
function renamed(text, isCode) {
  return text
    .replaceAll('Example', pascal)
    .replaceAll(/(?<=['"`/.-])example(?=['"`/.])/g, name)
    .replaceAll(/\bexample\b/g, isCode ? camel : name);
}

for (const entry of readdirSync(folder, { recursive: true })) {
  const path = join(folder, entry);
  if (!statSync(path).isFile()) continue;
  writeFileSync(path, renamed(readFileSync(path, 'utf8'), path.endsWith('.ts')));
}
const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')));
edit(join(folder, 'package.json'), (text) => text.replace(/^ {2}"private": true,\n/m, ''));
edit(join(folder, 'tsconfig.json'), (text) =>
  text.replace('../../packages/storyline-core', '../storyline-core'),
);

if (inWorkspace) {
  const reference = `    { "path": "packages/format-${name}" },\n`;
  edit(join(root, 'tsconfig.json'), (text) =>
    text.replace(/(?= {4}\{ "path": "packages\/conformance" \})/, reference),
  );
  if (values.install) {
    ensurePnpm();
    install({ frozen: false });
  }
}

console.log(`${relative(root, folder)} is a working format. Next, in this order:
  1. fixtures/        put real documents there, one folder a case
  2. src/decode.ts    what is well-formed: every fault with its code and pointer
  3. src/to-storylines.ts, src/from-storylines.ts    what it means, and the way back
  4. src/normalise.ts, MAPPING.md    the closed list of what a round trip rewrites
  5. npm test -- packages/format-${name}
  6. apps/cli         add it to the list of formats, and to its package.json
docs/adding-a-format.md explains each step.`);
