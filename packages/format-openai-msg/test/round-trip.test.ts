import { differences } from '@pchronicle/conformance';
import { equalJson, exportValue, type Json, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  exportOpenaiMessages,
  importOpenaiMessages,
  normaliseOpenaiMessages,
  openaiMessages,
} from '../src/index.ts';
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

describe('results that only their call holds (a command of ACTF)', () => {
  test('stand behind the call as tool messages, so that the rows can be trained on', () => {
    const { text } = exportOpenaiMessages([
      {
        schema_version: 'storyline/v1',
        session: 's',
        agent: { id: 'a' },
        turns: [
          { id: 1, src: 'user', msg: 'how many?' },
          {
            id: 2,
            src: 'agent',
            msg: '',
            tool_calls: [
              { tcid: 'c1', fn: 'sh', args: { command: 'ls | wc -l' }, result: '7\n' },
              { tcid: 'c2', fn: 'sh', args: {}, result: { lines: [1] } },
              { tcid: 'c3', fn: 'mcp', args: {}, result: [{ type: 'text', text: 'part' }] },
              { tcid: 'c4', fn: 'mcp', args: {}, result: '[{"type":"text","text":"part"}]' },
            ],
          },
          { id: 3, src: 'agent', msg: 'seven' },
        ],
      },
    ]);
    const rows = (
      JSON.parse(text) as {
        session_steps: { messages: { role: string; tool_call_id?: string; content: unknown }[] }[];
      }
    ).session_steps;
    expect(
      rows[1]?.messages.slice(2).map(({ role, tool_call_id, content }) => [role, tool_call_id, content]),
    ).toEqual([
      ['tool', 'c1', '7\n'],
      ['tool', 'c2', '{"lines":[1]}'],
      // Content parts are written as parts, not as a text that no one can read (O3).
      ['tool', 'c3', [{ type: 'text', text: 'part' }]],
      ['tool', 'c4', [{ type: 'text', text: 'part' }]],
    ]);
  });
});
