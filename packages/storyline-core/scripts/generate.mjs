// Writes src/generated/: the shape table from the published JSON Schema.
// Run: pnpm --filter @pchronicle/storyline-core generate. A test runs it again and compares.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** Keywords that the shape table does not express: storyline/read.ts has a rule for each place that uses one. */
const RULES = new Set(['anyOf', 'if', 'then', 'const']);
const TEXT = new Set(['title', 'description', '$schema', '$id']);

/** All generated files, by path from the package. */
export async function generate() {
  const schema = JSON.parse(await readFile(new URL('src/schema/storyline.schema.json', root), 'utf8'));
  return new Map([['src/generated/storyline-shape.generated.ts', shapes(schema)]]);
}

function shapes(schema) {
  const lines = [
    '// Generated from schema/storyline.schema.json by scripts/generate.mjs; do not edit.',
    "import type { Shape, ShapeName } from '../storyline/shape.ts';",
    '',
    '/** The keys of every object that Storyline owns. */',
    'export const SHAPES: { readonly [name in ShapeName]: Shape } = {',
  ];
  for (const [name, definition] of Object.entries(schema.$defs)) {
    if (name === 'time') continue;
    known(definition, ['type', 'additionalProperties', 'required', 'properties'], name);
    lines.push(`  ${name}: {`);
    if (definition.additionalProperties === true) lines.push('    open: true,');
    lines.push('    keys: {');
    for (const [key, property] of Object.entries(definition.properties)) {
      const slot = slotOf(property, `${name}.${key}`);
      if (definition.required?.includes(key)) slot.required = true;
      lines.push(
        `      ${key}: ${JSON.stringify(slot)
          .replaceAll(/"(\w+)":/g, ' $1: ')
          .replaceAll('"', "'")
          .replace('}', ' }')
          .replaceAll(/: +/g, ': ')
          .replaceAll(/, +/g, ', ')
          .replaceAll(/,(\S)/g, ', $1')},`,
      );
    }
    lines.push('    },', '  },');
  }
  lines.push('};', '');
  return lines.join('\n');
}

/** The slot of one property; throws on any keyword it would ignore. */
function slotOf(property, place) {
  if (property === true) return { type: 'any', nullable: true };
  if (property.$ref === '#/$defs/time') return { type: 'time', nullable: true };
  if (property.$ref) return { type: 'object', shape: definitionName(property.$ref) };
  if (property.anyOf?.length === 2 && property.anyOf[1].type === 'null') {
    return { type: 'object', nullable: true, shape: definitionName(property.anyOf[0].$ref) };
  }
  if (property.type === undefined) {
    known(property, [], place);
    return { type: 'any', nullable: true };
  }
  const types = [property.type].flat();
  const slot = { type: types[0] };
  if (types.length > 2 || (types.length === 2 && types[1] !== 'null'))
    throw new Error(`${place}: types ${types}`);
  if (types.length === 2) slot.nullable = true;
  known(property, ['type', 'minLength', 'exclusiveMinimum', 'items', 'additionalProperties'], place);
  if (property.minLength === 1) slot.filled = true;
  if (property.exclusiveMinimum === 0) slot.positive = true;
  if (property.items?.$ref) slot.shape = definitionName(property.items.$ref);
  if (types[0] === 'object') slot.map = true;
  if (property.additionalProperties?.$ref) slot.shape = definitionName(property.additionalProperties.$ref);
  return slot;
}

function definitionName(ref) {
  return ref.replace('#/$defs/', '');
}

function known(definition, keywords, place) {
  for (const keyword of Object.keys(definition)) {
    if (!TEXT.has(keyword) && !RULES.has(keyword) && !keywords.includes(keyword)) {
      throw new Error(`${place}: the keyword ${keyword} is not understood`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(new URL('src/generated/', root), { recursive: true });
  for (const [path, text] of await generate()) await writeFile(new URL(path, root), text);
}
