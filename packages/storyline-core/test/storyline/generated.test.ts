import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

const { default: standaloneCode } = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default(ajv: Ajv2020, validate: ReturnType<Ajv2020['compile']>): string;
};

test('src/generated is what scripts/generate.mjs writes', async () => {
  const { generate } = (await import(new URL('scripts/generate.mjs', root).href)) as {
    generate(): Promise<ReadonlyMap<string, string>>;
  };
  const files = await generate();
  expect([...files.keys()].sort()).toEqual([
    'src/generated/sha256.generated.ts',
    'src/generated/storyline-shape.generated.ts',
  ]);
  for (const [path, text] of files) expect(readFileSync(new URL(path, root), 'utf8'), path).toBe(text);
});

test('the reader, with every rule, is smaller than what ajv generates for the shape alone', async () => {
  const schema = JSON.parse(
    readFileSync(new URL('src/schema/storyline.schema.json', root), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({
    code: { source: true, esm: true },
    strict: false,
    ownProperties: true,
    allErrors: true,
  });
  const generated = await gzipped(standaloneCode(ajv, ajv.compile(schema)));
  const own = await gzipped("export { readStoryline } from './src/storyline/read.ts';");
  expect(own).toBeGreaterThan(1_000);
  expect(own).toBeLessThan(generated);
});

async function gzipped(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(root), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  });
  return gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).length;
}
