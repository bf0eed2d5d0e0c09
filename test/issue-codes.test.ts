import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Package, packages, read, sourcesOf } from './support/workspace.ts';

/** Which package owns (emits and documents) the codes of a prefix: a format the one named like it, and these. */
const owners: { readonly [prefix: string]: string } = {
  core: 'storyline-core',
  json: 'storyline-core',
  storyline: 'storyline-core',
  store: 'store-lance',
  cli: 'cli',
  ...Object.fromEntries(
    packages
      .filter((one) => one.short.startsWith('format-'))
      .map((one) => [one.short.slice('format-'.length), one.short]),
  ),
  example: 'format',
};

const prefixes = Object.keys(owners).join('|');
const literal = new RegExp(`['"\`]((?:${prefixes})/[a-z0-9]+(?:-[a-z0-9]+)*)['"\`]`, 'g');
const reported = new RegExp(`\\(\\s*'(error|warning|loss|info)',\\s*'((?:${prefixes})/[a-z0-9-]+)'`, 'g');

/** Code literals in the sources of a package → the first file that has each. */
function codesIn(one: Package): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const path of sourcesOf(one)) {
    for (const [, code] of read(path).matchAll(literal)) {
      // The schema version of a Storyline is spelled like a code.
      if (code !== undefined && code !== 'storyline/v1' && !codes.has(code)) codes.set(code, path);
    }
  }
  return codes;
}

interface Row {
  readonly severity: string;
  readonly means: string;
  readonly toDo: string;
}

/** Rows of the table in a package's ISSUES.md: code → the other three columns. */
function documentedIn(one: Package): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  if (!existsSync(join(one.folder, 'ISSUES.md'))) return rows;
  for (const line of read(`${one.path}/ISSUES.md`).split('\n')) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const code = /^`([a-z-]+\/[a-z0-9-]+)`$/.exec(cells[1] ?? '')?.[1];
    if (code === undefined) continue;
    if (rows.has(code)) throw new Error(`${one.path}/ISSUES.md has two rows for ${code}`);
    rows.set(code, { severity: cells[2] ?? '', means: cells[3] ?? '', toDo: cells[4] ?? '' });
  }
  return rows;
}

const emitters = packages
  .map((one) => ({ name: one.name, one, codes: codesIn(one) }))
  .filter(({ codes }) => codes.size > 0);
const owned = (one: Package, code: string): boolean => owners[code.split('/')[0] ?? ''] === one.short;

test('there are codes to compare', () => {
  expect(emitters.map(({ name }) => name)).toContain('@pchronicle/storyline-core');
});

describe.each(emitters)('$name', ({ one, codes }) => {
  const documented = documentedIn(one);

  test('documents every code of its own that it can emit', () => {
    const missing = [...codes]
      .filter(([code]) => owned(one, code) && !documented.has(code))
      .map(([code, path]) => `${code} (${path})`);
    expect(missing).toEqual([]);
  });

  test('documents no code that it cannot emit', () => {
    expect([...documented.keys()].filter((code) => owned(one, code) && !codes.has(code))).toEqual([]);
  });

  test('uses the codes of others as their package documents them', () => {
    const foreign = [...codes.keys()].filter((code) => !owned(one, code));
    const unknown = foreign.filter((code) => {
      const owner = packages.find((other) => owned(other, code));
      return owner === undefined || !documentedIn(owner).has(code);
    });
    expect(unknown).toEqual([]);
  });

  test('says of each code how much it matters, what it means and what to do', () => {
    const bad = [...documented].filter(
      ([, row]) =>
        !/^(error|warning|loss|info)([,/ ]|or|and|error|warning|loss|info)*$/.test(row.severity) ||
        row.means === '' ||
        row.toDo === '',
    );
    expect(bad).toEqual([]);
  });

  test('documents the severity with which it reports', () => {
    const wrong: string[] = [];
    for (const path of sourcesOf(one)) {
      for (const [, severity = '', code = ''] of read(path).matchAll(reported)) {
        const row = documented.get(code);
        if (row !== undefined && !row.severity.includes(severity))
          wrong.push(`${path}: ${code} is reported as ${severity}, documented as ${row.severity}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
