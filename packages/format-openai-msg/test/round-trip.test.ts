import { differences } from '@pchronicle/conformance';
import { equalJson, exportValue, type Json, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importOpenaiMessages, normaliseOpenaiMessages, openaiMessages } from '../src/index.ts';
import { arbitraryRows } from './support/arbitrary-rows.ts';

/** export(import(d)) beside normalise(d). */
function crossed(document: Json): {
  readonly found: Json | undefined;
  readonly wanted: Json;
  readonly accepted: boolean;
} {
  const { storylines, issues } = importOpenaiMessages(document, { source: 'rows.json' });
  const accepted = issues.every((issue) => issue.severity !== 'error');
  const { value, issues: faults } = exportValue(openaiMessages, storylines);
  if (accepted) expect(faults).toEqual([]);
  return { found: value, wanted: normaliseOpenaiMessages(document), accepted };
}

describe('G1: export(import(d)) is normalise(d)', () => {
  test('O2: for generated documents', () => {
    let accepted = 0;
    fc.assert(
      fc.property(arbitraryRows(process.env.ROWS === 'plain' ? 'plain' : 'any'), (document) => {
        const result = crossed(document);
        if (!result.accepted) return;
        accepted += 1;
        if (result.found === undefined || !equalJson(result.found, result.wanted))
          throw new Error(
            stringify(differences(result.wanted, result.found ?? null) as unknown as Json, { indent: 1 }),
          );
      }),
      { numRuns: Number(process.env.RUNS ?? 200) },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
