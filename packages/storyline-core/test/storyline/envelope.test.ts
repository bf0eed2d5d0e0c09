import {
  buildEnvelope,
  canonicalJson,
  collectIssues,
  type Json,
  JsonNumber,
  type JsonObject,
  mergeEnvelope,
  type ResidualSources,
  readEnvelope,
  type Storyline,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson } from '../arbitrary-storyline.ts';

const block = (fields: JsonObject, id = 'd'): JsonObject => ({ source_document_id: id, fields });
const envelope = (byTrajectory: Json, version: Json = 1): JsonObject => ({
  unknown_fields: { version, by_trajectory: byTrajectory },
});

function read(value: Json): { carriers: string[] | undefined; found: [string, string][] } {
  const { report, issues } = collectIssues();
  const carriers = readEnvelope(value, report);
  return {
    carriers: carriers && [...carriers.keys()],
    found: issues.map(({ code, at }) => [code, at.pointer]),
  };
}

describe('reading _storyline (storyline-v1 §9)', () => {
  const place = '/_storyline/unknown_fields';
  test.each<[string, Json, [string, string][]]>([
    ['null', null, [['storyline/envelope-shape', '/_storyline']]],
    ['no unknown_fields', {}, [['storyline/envelope-shape', '/_storyline']]],
    ['null unknown_fields', { unknown_fields: null }, [['storyline/envelope-shape', place]]],
    [
      'an undeclared key',
      { unknown_fields: { version: 1, by_trajectory: {} }, x: 1 },
      [['storyline/envelope-shape', '/_storyline/x']],
    ],
    [
      'an undeclared key inside',
      { unknown_fields: { version: 1, by_trajectory: {}, 'a/b': 1 } },
      [['storyline/envelope-shape', `${place}/a~1b`]],
    ],
    ['no version', { unknown_fields: { by_trajectory: {} } }, [['storyline/envelope-shape', place]]],
    ['another version', envelope({}, 2), [['storyline/envelope-version', `${place}/version`]]],
    ['a version as text', envelope({}, '1'), [['storyline/envelope-version', `${place}/version`]]],
    ['null version', envelope({}, null), [['storyline/envelope-version', `${place}/version`]]],
    ['by_trajectory as an array', envelope([]), [['storyline/envelope-shape', `${place}/by_trajectory`]]],
    [
      'a carrier that is no pointer',
      envelope({ a: { sources: {} } }),
      [['storyline/envelope-pointer', `${place}/by_trajectory/a`]],
    ],
    [
      'a null binding',
      envelope({ '/a': null }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a`]],
    ],
    [
      'null sources',
      envelope({ '/a': { sources: null } }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a/sources`]],
    ],
    [
      'a null block',
      envelope({ '/a': { sources: { x: null } } }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a/sources/x`]],
    ],
    [
      'a block without fields',
      envelope({ '/a': { sources: { x: { source_document_id: 'd' } } } }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a/sources/x`]],
    ],
    [
      'a document id that is no text',
      envelope({ '/a': { sources: { x: { source_document_id: 1, fields: {} } } } }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a/sources/x/source_document_id`]],
    ],
    [
      'fields as an array',
      envelope({ '/a': { sources: { x: { source_document_id: '', fields: [] } } } }),
      [['storyline/envelope-shape', `${place}/by_trajectory/~1a/sources/x/fields`]],
    ],
    [
      'a residual key that is no pointer',
      envelope({ '/a': { sources: { x: block({ 'b/c': 1 }) } } }),
      [['storyline/envelope-pointer', `${place}/by_trajectory/~1a/sources/x/fields/b~1c`]],
    ],
    [
      'two faults at once',
      envelope({ a: { sources: {}, x: 1 } }, 3),
      [
        ['storyline/envelope-version', `${place}/version`],
        ['storyline/envelope-pointer', `${place}/by_trajectory/a`],
        ['storyline/envelope-shape', `${place}/by_trajectory/a/x`],
      ],
    ],
  ])('%s', (_name, value, found) => {
    expect(read(value)).toEqual({ carriers: undefined, found });
  });

  test('what is right is read; any value that is not is refused without an exception', () => {
    expect(
      read(envelope({ '': { sources: {} }, '/__proto__': { sources: { __proto__: block({}) } } })),
    ).toEqual({ carriers: ['', '/__proto__'], found: [] });
    expect(read(envelope({}, new JsonNumber('1.0')))).toEqual({ carriers: [], found: [] });
    fc.assert(
      fc.property(anyJson, (value) => {
        for (const damaged of [
          value,
          { unknown_fields: value },
          envelope(value),
          envelope({ '/a': value }),
          envelope({ '/a': { sources: value } }),
        ]) {
          const { report, failed } = collectIssues();
          expect(readEnvelope(damaged, report) === undefined).toBe(failed());
        }
      }),
    );
  });
});

describe('merging and building', () => {
  const story: Storyline = {
    schema_version: 'storyline/v1',
    session: 's',
    agent: { id: 'a' },
    turns: [],
    unknown_fields: { sources: { actf: { source_document_id: 'T', fields: { '/x': 1 } } } },
    unknown_key_counts: { actf: { '/x': 1 } },
  };
  const merge = (sources: ResidualSources) => {
    const { report, issues } = collectIssues();
    const merged = mergeEnvelope(story, sources, 'actf', report);
    return { merged, found: issues.map(({ code }) => code) };
  };

  test('blocks are added and recounted', () => {
    const { merged, found } = merge({
      'openai-msg': { source_document_id: 'd', fields: { '/session_steps/0/x': 1, '/session_steps/1/x': 1 } },
    });
    expect(found).toEqual([]);
    expect(merged?.unknown_key_counts).toEqual({
      actf: { '/x': 1 },
      'openai-msg': { '/session_steps/*/x': 2 },
    });
    expect(merge({ other: { source_document_id: 'd', fields: {} } }).merged).toEqual(story);
  });

  test('a block of the host format itself, or a conflict, is an error', () => {
    expect(merge({ actf: { source_document_id: 'T', fields: { '/x': 1 } } })).toEqual({
      merged: undefined,
      found: ['storyline/envelope-own-source'],
    });
  });

  test('what is built is read back', () => {
    const { report, issues } = collectIssues();
    const sources: ResidualSources = {
      x: { source_document_id: 'd', fields: { '/a': [1] } },
      empty: { source_document_id: 'd', fields: {} },
    };
    const built = buildEnvelope(
      [
        ['/a', sources],
        ['/b', { empty: { source_document_id: '', fields: {} } }],
      ],
      report,
    );
    expect(canonicalJson(built ?? null)).toBe(
      canonicalJson(envelope({ '/a': { sources: { x: block({ '/a': [1] }) } } })),
    );
    expect([...(readEnvelope(built ?? null, report) ?? [])]).toEqual([['/a', { x: sources.x }]]);
    expect(buildEnvelope([['/b', {}]])).toBeUndefined();
    expect(issues).toEqual([]);
    buildEnvelope(
      [
        ['/a', sources],
        ['/a', sources],
      ],
      report,
    );
    expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
      ['storyline/envelope-two-bindings', '/a'],
    ]);
  });
});
