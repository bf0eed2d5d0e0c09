import {
  appendPointer,
  canonicalJson,
  checkResidualLimits,
  collectIssues,
  countUnknownKeys,
  fieldsOf,
  getPointer,
  isPointer,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  measureResiduals,
  mergeUnknownFields,
  normaliseResidualPointer,
  parsePointer,
  type RestoreOptions,
  readStoryline,
  residualAt,
  residuals,
  restoreResiduals,
  setOwn,
  stringify,
  type UnknownFields,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, anyObject, anyText, walk } from '../arbitrary-storyline.ts';

function restored(
  root: Json,
  fields: JsonObject,
  options: RestoreOptions = {},
): { root: Json; found: [string, string][] } {
  const { report, issues } = collectIssues();
  const target = structuredClone(root) as MutableJsonObject;
  restoreResiduals(target, fields, options, report);
  return { root: target, found: issues.map(({ code, at }) => [code, at.pointer]) };
}

test('residuals may build the lists that are named, element by element, and no others', () => {
  const lists = new Set(['calls']);
  expect(restored({}, { '/calls/0/id': 'a', '/calls/1': 7, '/other/0': 1 }, { lists })).toEqual({
    root: { calls: [{ id: 'a' }, 7], other: { 0: 1 } },
    found: [],
  });
  expect(restored({ calls: [{}] }, { '/calls/2': 1, '/calls/x': 1 }, { lists }).found).toEqual([
    ['storyline/residual-without-place', '/calls/2'],
    ['storyline/residual-without-place', '/calls/x'],
  ]);
  expect(restored({ calls: [] }, { '/calls/0': 1 }).found).toEqual([
    ['storyline/residual-without-place', '/calls/0'],
  ]);
});

describe('normalised residual pointers (storyline-v1 §8)', () => {
  test.each([
    ['actf', '/attempts/1/trajectory/steps/0/x', '/attempts/1/trajectory/steps/*/x'],
    [
      'actf',
      '/attempts/2/trajectory/steps/00/tools/3/vendor/4',
      '/attempts/2/trajectory/steps/*/tools/*/vendor/4',
    ],
    [
      'actf',
      '/attempts/2/trajectory/steps/7/observation/1/a',
      '/attempts/2/trajectory/steps/*/observation/*/a',
    ],
    [
      'actf',
      '/attempts/2/trajectory/steps/7/assistant_content/tool_calls/1',
      '/attempts/2/trajectory/steps/*/assistant_content/tool_calls/*',
    ],
    ['actf', '/attempts/2/trajectory/steps/x/tools/1', '/attempts/2/trajectory/steps/x/tools/1'],
    ['actf', '/attempts/3/4', '/attempts/3/4'],
    ['actf', '/steps/0', '/steps/0'],
    ['openai-msg', '/session_steps/4', '/session_steps/*'],
    [
      'openai-msg',
      '/session_steps/4/messages/2/tool_calls/0/x/1',
      '/session_steps/*/messages/*/tool_calls/*/x/1',
    ],
    ['openai-msg', '/session_steps/4/response/tool_calls/0/x', '/session_steps/*/response/tool_calls/*/x'],
    ['openai-msg', '/session_steps/4/response/messages/0', '/session_steps/*/response/messages/0'],
    ['atif', '/steps/1/tool_calls/2/x', '/steps/*/tool_calls/*/x'],
    [
      'atif',
      '/subagent_trajectories/0/subagent_trajectories/1/steps/2/x/3',
      '/subagent_trajectories/*/subagent_trajectories/*/steps/*/x/3',
    ],
    ['agenticmd', '/blocks/10/1', '/blocks/*/1'],
    ['agenticmd', '/blocks/010', '/blocks/010'],
    ['openclaw', '/attempts/1/trajectory/0', '/attempts/1/trajectory/0'],
    ['__proto__', '/steps/0', '/steps/0'],
    ['actf', '', ''],
    ['actf', '/a~1b/~0', '/a~1b/~0'],
  ])('%s %s', (source, pointer, expected) => {
    expect(normaliseResidualPointer(source, pointer)).toBe(expected);
  });
});

describe('building residuals', () => {
  test('are counted by normalised pointer, and make a valid Storyline', () => {
    const builder = residuals('actf', 'T');
    expect(builder.build()).toBeUndefined();
    builder.add('/attempts/1/trajectory/steps/0/x', null);
    builder.add('/attempts/1/trajectory/steps/1/x', {});
    builder.add('/__proto__', 1);
    expect(builder.size).toBe(3);
    const built = builder.build();
    expect(built?.unknown_key_counts).toEqual({
      actf: { '/attempts/1/trajectory/steps/*/x': 2, '/__proto__': 1 },
    });
    const { report, issues } = collectIssues();
    const story = readStoryline(
      {
        schema_version: 'storyline/v1',
        session: 's',
        agent: { id: 'a' },
        turns: [],
        ...(built as unknown as JsonObject),
      },
      report,
    );
    expect(issues).toEqual([]);
    if (story === undefined) throw new Error('refused');
    expect(fieldsOf(story, 'actf')).toEqual({
      '/attempts/1/trajectory/steps/0/x': null,
      '/attempts/1/trajectory/steps/1/x': {},
      '/__proto__': 1,
    });
    expect(residualAt(story, 'actf', '/__proto__')).toBe(1);
    for (const name of ['other', 'constructor', '__proto__']) expect(fieldsOf(story, name)).toBeUndefined();
  });

  test('a source named like a prototype is a source', () => {
    const fields = residuals('__proto__', '').build();
    expect(fields).toBeUndefined();
    const builder = residuals('__proto__', '');
    builder.add('/x', 1);
    expect(canonicalJson(builder.build() as unknown as Json)).toBe(
      '{"unknown_fields":{"sources":{"__proto__":{"fields":{"/x":1},"source_document_id":""}}},"unknown_key_counts":{"__proto__":{"/x":1}}}',
    );
  });
});

describe('restoring residuals (G12)', () => {
  test('G12: inserts, creating missing object parents', () => {
    expect(restored({ a: {} }, { '/a/b': 1, '/c/d/e': 2, '/c/d/f': 3 })).toEqual({
      root: { a: { b: 1 }, c: { d: { e: 2, f: 3 } } },
      found: [],
    });
    expect(restored({}, { '/c/d': 2 }, { createParents: false }).found).toEqual([
      ['storyline/residual-without-place', '/c/d'],
    ]);
  });

  test('G12: array positions are not created', () => {
    expect(restored({ a: [{ x: 1 }] }, { '/a/0/y': 2 })).toEqual({
      root: { a: [{ x: 1, y: 2 }] },
      found: [],
    });
    for (const pointer of ['/a/1', '/a/1/y', '/a/-', '/a/00', '/a/x', '/a/length']) {
      expect(restored({ a: [{}] }, { [pointer]: 2 })).toEqual({
        root: { a: [{}] },
        found: [['storyline/residual-without-place', pointer]],
      });
    }
    expect(restored({ a: 's' }, { '/a/length': 2, '/a/0/b': 3 }).found).toEqual([
      ['storyline/residual-without-place', '/a/length'],
      ['storyline/residual-without-place', '/a/0/b'],
    ]);
  });

  test('G12: a collision is an error that names the pointer; a synthesised value gives way; an equal one is left', () => {
    expect(restored({ a: 1 }, { '/a': 2 })).toEqual({
      root: { a: 1 },
      found: [['storyline/residual-collision', '/a']],
    });
    expect(restored({ a: { x: [1] } }, { '/a': { x: [new JsonNumber('1.0')] } }).found).toEqual([]);
    expect(
      restored({ a: 1, b: [1] }, { '/a': 2, '/b/0': 3 }, { mayReplace: (pointer) => pointer === '/a' }),
    ).toEqual({
      root: { a: 2, b: [1] },
      found: [['storyline/residual-collision', '/b/0']],
    });
  });

  test('the whole document has no place', () => {
    expect(restored({}, { '': 1 }).found).toEqual([['storyline/residual-at-root', '']]);
  });

  test('restores below a base only', () => {
    expect(
      restored({ x: {} }, { '/items/a~1b/x/y': 1, '/items/a~1bc/x': 2, '/x': 3 }, { base: '/items/a~1b' }),
    ).toEqual({ root: { x: { y: 1 } }, found: [] });
  });

  test('G4: keys named like prototypes are data, and no prototype is touched', () => {
    const { root, found } = restored(
      {},
      { '/__proto__/polluted': 1, '/constructor/prototype/polluted': 2, '/a/__proto__': 3 },
    );
    expect(found).toEqual([]);
    expect(stringify(root)).toBe(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"a":{"__proto__":3}}',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('shared values are not written into', () => {
    const shared = Object.freeze({ inner: Object.freeze([Object.freeze({ x: 1 })]) }) as JsonObject;
    const root: MutableJsonObject = { one: shared, two: shared };
    const { report, issues } = collectIssues();
    restoreResiduals(root, { '/one/inner/0/y': 1, '/one/inner/0/z': 2, '/two/w': 3 }, {}, report);
    expect(issues).toEqual([]);
    expect(root).toEqual({ one: { inner: [{ x: 1, y: 1, z: 2 }] }, two: { inner: [{ x: 1 }], w: 3 } });
  });

  test('what was taken out of a document at object keys goes back', () => {
    fc.assert(
      fc.property(anyObject, fc.array(fc.nat(), { maxLength: 3 }), (document, picks) => {
        const paths = [...walk(document)].filter(
          (path) => path.length > 0 && path.every((step) => typeof step === 'string'),
        );
        const chosen = picks.flatMap((pick) =>
          paths.length === 0 ? [] : [paths[pick % paths.length] as string[]],
        );
        // No residual lies inside of another.
        const outer = chosen.filter(
          (path) =>
            !chosen.some(
              (other) => other.length < path.length && other.every((step, index) => step === path[index]),
            ),
        );
        const fields: MutableJsonObject = {};
        for (const path of outer) {
          const pointer = appendPointer('', ...path);
          setOwn(fields, pointer, getPointer(document, pointer) as Json);
        }
        const { report, issues } = collectIssues();
        const rest = without(document, outer) as MutableJsonObject;
        restoreResiduals(rest, fields, {}, report);
        expect(issues).toEqual([]);
        expect(canonicalJson(rest)).toBe(canonicalJson(document));
      }),
    );
  });
});

function without(value: Json, paths: readonly (readonly string[])[]): Json {
  if (paths.length === 0) return value;
  const copy: MutableJsonObject = {};
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const inner = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (!inner.some((path) => path.length === 0)) setOwn(copy, key, without(member, inner));
  }
  return copy;
}

describe('merging residuals (storyline-v1 §9)', () => {
  const base: UnknownFields = { sources: { x: { source_document_id: 'd', fields: { '/a': 1 } } } };
  const merge = (added: UnknownFields['sources'], from: UnknownFields | undefined = base) => {
    const { report, issues } = collectIssues();
    const merged = mergeUnknownFields(from, added, report);
    return { merged, found: issues.map(({ code, at }) => [code, at.pointer]) };
  };

  test('a new source is added, an equal value kept once, an empty block left out', () => {
    expect(
      merge({
        x: { source_document_id: 'd', fields: { '/a': new JsonNumber('1.0'), '/b': 2 } },
        y: { source_document_id: 'e', fields: { '': null } },
        z: { source_document_id: 'f', fields: {} },
      }),
    ).toEqual({
      merged: {
        sources: {
          x: { source_document_id: 'd', fields: { '/a': 1, '/b': 2 } },
          y: { source_document_id: 'e', fields: { '': null } },
        },
      },
      found: [],
    });
    expect(base.sources.x?.fields).toEqual({ '/a': 1 });
    expect(merge({ y: { source_document_id: '', fields: { '/a': 1 } } }, { sources: {} }).found).toEqual([]);
  });

  test('another document or another value is an error', () => {
    expect(merge({ x: { source_document_id: 'other', fields: { '/b': 1 } } })).toEqual({
      merged: undefined,
      found: [['storyline/residual-document-conflict', '/unknown_fields/sources/x']],
    });
    expect(merge({ x: { source_document_id: 'd', fields: { '/a': 2 } } })).toEqual({
      merged: undefined,
      found: [['storyline/residual-conflict', '/unknown_fields/sources/x/fields/~1a']],
    });
  });

  test('merging is the union, in any order, for blocks that agree', () => {
    const block = fc.dictionary(
      anyText.map((text) => `/${text.replaceAll('~', '').replaceAll('/', '')}`),
      anyJson,
      { maxKeys: 4, noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), anyText, (blocks, source) => {
        const all: MutableJsonObject = {};
        for (const fields of blocks)
          for (const [pointer, value] of Object.entries(fields))
            if (!Object.hasOwn(all, pointer)) setOwn(all, pointer, value);
        const agreeing = blocks.map((fields) =>
          Object.fromEntries(Object.keys(fields).map((pointer) => [pointer, all[pointer] as Json])),
        );
        const { report, issues } = collectIssues();
        let merged: UnknownFields | undefined = { sources: {} };
        for (const fields of agreeing)
          merged = mergeUnknownFields(
            merged,
            Object.fromEntries([[source, { source_document_id: 'd', fields }]]),
            report,
          );
        expect(issues).toEqual([]);
        const counted = Object.keys(all).length;
        expect(canonicalJson((merged?.sources ?? {}) as unknown as Json)).toBe(
          canonicalJson(
            counted === 0
              ? {}
              : (Object.fromEntries([[source, { source_document_id: 'd', fields: all }]]) as Json),
          ),
        );
        const counts = Object.values(countUnknownKeys(merged ?? { sources: {} })[source] ?? {});
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(counted);
      }),
    );
  });
});

describe('limits on residuals (storyline-v1 §8)', () => {
  const some: UnknownFields = {
    sources: {
      x: { source_document_id: 'é', fields: { '/💡': 'a"\ud800', '/y': [1, new JsonNumber('1e400')] } },
    },
  };

  test('count fields and UTF-8 bytes', () => {
    // é 2; /💡 5; "a\"\ud800" 11; /y 2; [1,1e400] 9
    expect(measureResiduals(some)).toEqual({ fields: 2, bytes: 2 + 5 + 11 + 2 + 9 });
    fc.assert(
      fc.property(anyText, (text) => {
        const { bytes } = measureResiduals({ sources: { x: { source_document_id: text, fields: {} } } });
        expect(bytes).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  test('are kept or reported; 0 is no limit', () => {
    const { report, issues } = collectIssues();
    expect(checkResidualLimits(some, { fields: 2, bytes: 29 }, report)).toBe(true);
    expect(checkResidualLimits(some, {}, report)).toBe(true);
    expect(issues).toEqual([]);
    expect(checkResidualLimits(some, { fields: 1, bytes: 28 }, report)).toBe(false);
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      ['storyline/residual-limit', 'the residuals have 2 fields; the limit is 1'],
      ['storyline/residual-limit', 'the residuals have 29 bytes; the limit is 28'],
    ]);
    expect(() => checkResidualLimits(some, { fields: 0 }, report)).toThrow(RangeError);
    expect(() => checkResidualLimits(some, { bytes: 1.5 }, report)).toThrow(RangeError);
  });
});

test('isPointer agrees with the parser of pointers', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom('/', '~', '0', '1', 'a') })), (text) => {
      expect(isPointer(text)).toBe(parsePointer(text) !== undefined);
    }),
  );
});
