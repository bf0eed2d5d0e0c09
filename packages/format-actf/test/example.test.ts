import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '@pchronicle/conformance';
import { parseJson } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importActf, normaliseActf } from '../src/index.ts';
import { readJson } from './support/cases.ts';
import { accepted, back, told, written } from './support/documents.ts';

const path = join(import.meta.dirname, '../../../examples/actf/make-report.actf.json');
const document = readJson(path);

describe('the bundled example', () => {
  const { storylines, issues } = accepted(document);

  test('shows what real files hold: three attempts, both kinds of calls, an event array, ids used twice, vendor keys', () => {
    expect(storylines.map(({ attempt_id: id, turns }) => [id, turns.length])).toEqual([
      ['1', 6],
      ['10', 6],
      ['2', 4],
    ]);
    const calls = storylines.flatMap(({ turns }) => turns.flatMap((turn) => turn.tool_calls ?? []));
    expect(new Set(calls.map(({ kind }) => kind))).toEqual(
      new Set(['tool_use', 'command_execution', 'function', 'checkpoint', undefined]),
    );
    expect(calls.flatMap(({ response }) => response?.exit_code ?? [])).toEqual([0, 1, 0, 4]);
    const counts: { [code: string]: number } = {};
    for (const { code } of issues) counts[code] = (counts[code] ?? 0) + 1;
    expect(counts).toEqual({
      'actf/openclaw-events': 1,
      'actf/reused-tool-id': 3,
      'actf/unmatched-tool-result': 1,
      'core/unknown-key': told(issues, 'core/unknown-key').length,
    });
    expect(told(issues, 'core/unknown-key').length).toBeGreaterThan(10);
    expect(
      new Set(storylines.flatMap(({ prompt, turns }) => [prompt, ...turns.map((turn) => turn.prompt)])).size,
    ).toBeGreaterThan(3);
  });

  test('G1: comes back as its normal form, with every digit, and that as itself', () => {
    const { document: first } = written(storylines);
    expect(differences(first, normaliseActf(document))).toEqual([]);
    expect(differences(back(first).document, first)).toEqual([]);
    const text = readFileSync(path, 'utf8');
    for (const digits of [
      '18446744073709551615',
      '1786000000123456789',
      '9223372036854775807',
      '9007199254740993',
    ])
      expect(text).toContain(digits);
  });

  test('is read the same from its bytes', () => {
    expect(importActf(readFileSync(path)).storylines).toEqual(
      importActf(parseJson(readFileSync(path)).value ?? null).storylines,
    );
  });
});
