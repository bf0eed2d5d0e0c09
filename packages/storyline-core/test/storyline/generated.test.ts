import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

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
