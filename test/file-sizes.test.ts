import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFileBudget } from './support/rules.ts';
import { packages, root, sourcesOf } from './support/workspace.ts';

test.each(packages)('every source file of $name holds one concept: at most 14 kB', (one) => {
  const sources = sourcesOf(one).filter((path) => !path.includes('.generated.'));
  expect(sources.length).toBeGreaterThan(0);
  const big = sources
    .map((path) => `${path} ${statSync(join(root, path)).size}`)
    .filter((line) => Number(line.split(' ')[1]) > sourceFileBudget);
  expect(big).toEqual([]);
});
