import { differences } from '@pchronicle/conformance';
import {
  equalJson,
  exportValue,
  getOwn,
  type Json,
  type JsonObject,
  stringify,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  exportOpenaiMessages,
  importOpenaiMessages,
  normaliseOpenaiMessages,
  openaiMessages,
} from '../src/index.ts';
import { arbitraryRows } from './support/arbitrary-rows.ts';
import { message, read, row, write } from './support/rows.ts';

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

describe('the envelope', () => {
  test('G13: blocks bound to any rows of a session are one block at its first row in the file', () => {
    const block = (fields: JsonObject, id = 'T'): JsonObject => ({ source_document_id: id, fields });
    const envelope = (carriers: JsonObject): Json => ({
      unknown_fields: { version: 1, by_trajectory: carriers },
    });
    const rows = [2, 1, 3].map((step) => row(step, [message('user', `q${step}`)], message('assistant', 'a')));
    const other = { ...row(1, [message('user', 'q')], message('assistant', 'a')), session_id: 's2' };
    const document = {
      session_steps: [other, ...rows],
      _storyline: envelope({
        '/session_steps/0': { sources: { ext: block({}) } },
        '/session_steps/2': { sources: { actf: block({ '/a': 1, '/b': 2 }) } },
        '/session_steps/3': { sources: { actf: block({ '/a': 1, '/c': 3 }), ext: block({ '': 4 }, 'E') } },
      }),
    };
    const { value } = write(read(document).stories);
    const wanted = envelope({
      '/session_steps/1': {
        sources: { actf: block({ '/a': 1, '/b': 2, '/c': 3 }), ext: block({ '': 4 }, 'E') },
      },
    });
    expect(getOwn(value as JsonObject, '_storyline')).toEqual(wanted);
    expect(getOwn(normaliseOpenaiMessages(document) as JsonObject, '_storyline')).toEqual(wanted);
  });

  test('one without a block is dropped', () => {
    const { session_steps } = { session_steps: [row(1, [message('user', 'q')], message('assistant', 'a'))] };
    const _storyline = {
      unknown_fields: { version: 1, by_trajectory: { '/session_steps/0': { sources: {} } } },
    };
    const { value } = write(read({ session_steps, _storyline }).stories);
    expect(Object.keys(value as JsonObject)).toEqual(['session_steps']);
    expect(Object.keys(normaliseOpenaiMessages({ session_steps, _storyline }) as JsonObject)).toEqual([
      'session_steps',
    ]);
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
