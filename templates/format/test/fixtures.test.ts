import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equalJson, type Json, parseJson, storylineToJson, stringify } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importExample } from '../src/index.ts';

// Each folder is one sentence: source.json, and what comes out of it. `UPDATE=1 npx vitest run` writes what is missing or has changed.
const folder = fileURLToPath(new URL('../fixtures', import.meta.url));
const update = process.env.UPDATE === '1';

/** Compares with the file of that name, by value: no digit and no key is lost in the comparison. */
function matchFile(path: string, found: Json): void {
  if (update) writeFileSync(path, `${stringify(found, { indent: 2 })}\n`);
  expect(existsSync(path), `${path} is missing: run with UPDATE=1 and read what it writes`).toBe(true);
  const wanted = parseJson(readFileSync(path, 'utf8')).value ?? null;
  if (!equalJson(found, wanted))
    expect(stringify(found, { indent: 2 })).toBe(stringify(wanted, { indent: 2 }));
}

describe.each(readdirSync(folder))('%s', (name) => {
  const at = join(folder, name);
  const { storylines, issues } = importExample(readFileSync(join(at, 'source.json')));

  test('gives its Storylines', () => {
    matchFile(join(at, 'storylines.json'), storylines.map(storylineToJson));
  });

  test('gives its issues', () => {
    const found = issues.map(({ code, severity, at: place }) => ({ code, severity, pointer: place.pointer }));
    matchFile(join(at, 'issues.json'), found);
  });
});
