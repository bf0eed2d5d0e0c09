import { readdirSync, readFileSync } from 'node:fs';
import {
  bytesSource,
  canonicalJson,
  exportValue,
  getOwn,
  getPointer,
  importDocument,
  isJsonArray,
  type Json,
  type JsonObject,
  parseJson,
  readHead,
  storylineFormat,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';

const fixtures = new URL('../../fixtures/', import.meta.url);

/** The cases of a folder, read with the exact parser. */
function casesOf(folder: string): readonly JsonObject[] {
  const url = new URL(`${folder}/`, fixtures);
  const files = readdirSync(url).sort();
  return files.map(
    (file) => parseJson(readFileSync(new URL(file, url)), { keepFloats: true }).value as JsonObject,
  );
}

/** Where and as what each rejection is reported. */
const rejections: { readonly [name: string]: readonly [code: string, pointer: string] } = {
  'storyline-reject-agent-unknown-key': ['storyline/unknown-key', '/agent/version'],
  'storyline-reject-call-unknown-key': ['storyline/unknown-key', '/turns/0/tool_calls/0/name'],
  'storyline-reject-counts-wrong': ['storyline/counts-mismatch', '/unknown_key_counts/actf/~1v'],
  'storyline-reject-duplicate-turn-id': ['storyline/duplicate-turn-id', '/turns/1/id'],
  'storyline-reject-env-state-not-object': ['storyline/wrong-type', '/turns/0/env/state'],
  'storyline-reject-env-unknown-key': ['storyline/unknown-key', '/turns/0/env/zone'],
  'storyline-reject-long-name': ['storyline/unknown-key', '/session_id'],
  'storyline-reject-msg-missing': ['storyline/missing-key', '/turns/0'],
  'storyline-reject-origin-format-empty': ['storyline/empty-text', '/origin/format'],
  'storyline-reject-origin-without-format': ['storyline/missing-key', '/origin'],
  'storyline-reject-parent-without-psid': ['storyline/missing-key', '/parent'],
  'storyline-reject-prompt-double-empty-at-document': ['storyline/empty-prompt', '/prompt'],
  'storyline-reject-prompt-empty-object': ['storyline/empty-prompt', '/prompt'],
  'storyline-reject-response-empty': ['storyline/empty-response', '/turns/0/tool_calls/0/response'],
  'storyline-reject-session-empty': ['storyline/empty-text', '/session'],
  'storyline-reject-task-empty': ['storyline/empty-task', '/task'],
  'storyline-reject-task-k-zero': ['storyline/not-positive', '/task/llm/k'],
  'storyline-reject-tcid-empty': ['storyline/empty-text', '/turns/0/tool_calls/0/tcid'],
  'storyline-reject-trajectory-empty': ['storyline/empty-text', '/trajectory'],
  'storyline-reject-ts-array': ['storyline/bad-time', '/turns/0/ts'],
  'storyline-reject-ts-no-offset': ['storyline/bad-time', '/turns/0/ts'],
  'storyline-reject-ts-not-rfc3339': ['storyline/bad-time', '/turns/0/ts'],
  'storyline-reject-ts-out-of-range': ['storyline/bad-time', '/turns/0/ts'],
  'storyline-reject-turn-prompt-on-copied': ['storyline/prompt-on-copied-turn', '/turns/0/prompt'],
  'storyline-reject-turns-missing': ['storyline/missing-key', ''],
  'storyline-reject-unknown-root-key': ['storyline/unknown-key', '/vendor'],
  'storyline-reject-unknown-turn-key': ['storyline/unknown-key', '/turns/0/message'],
};

describe('conformance: storyline, through the public API', () => {
  const cases = casesOf('storyline');

  test('every rejection has its code and pointer', () => {
    const rejected = cases.filter((one) => one.op === 'reject').map((one) => one.name);
    expect(Object.keys(rejections).sort()).toEqual(rejected);
  });

  for (const one of cases) {
    const name = String(one.name);
    const text = stringify(one.input as Json);
    test(name, () => {
      const { storylines, issues } = importDocument(storylineFormat, text, { source: 'case.json' });
      const result = storylines.map(storylineToJson);
      if (one.op === 'reject') {
        expect(result).toEqual([]);
        expect(issues.map(({ code, severity, at }) => [code, severity, at.pointer])).toEqual([
          [rejections[name]?.[0], 'error', rejections[name]?.[1]],
        ]);
        const words = issues.map((issue) => issue.message.toLowerCase()).join('\n');
        for (const part of one.expected_error_contains as string[])
          expect(words).toContain(part.toLowerCase());
        return;
      }
      expect(issues).toEqual([]);
      for (const expected of one.expected_pointers as readonly JsonObject[]) {
        const found = getPointer(result, String(expected.pointer));
        if (expected.absent === true) expect(found).toBeUndefined();
        else if (Object.hasOwn(expected, 'absent_or'))
          expect([undefined, expected.absent_or]).toContainEqual(found);
        else expect(canonicalJson(found ?? null)).toBe(canonicalJson(getOwn(expected, 'value') ?? null));
      }
      // G1: what is written is the canonical form, and reading it changes nothing.
      const { value } = exportValue(storylineFormat, storylines);
      expect(canonicalJson(value ?? null)).toBe(canonicalJson(result[0] ?? null));
      expect(importDocument(storylineFormat, stringify(value ?? null)).storylines).toEqual(storylines);
    });
  }
});

describe('conformance: detection of Storylines', () => {
  for (const one of casesOf('detect')) {
    test(String(one.name), async () => {
      const { text, name = 'x.json' } = one.input as { text: string; name?: string };
      const head = await readHead(bytesSource(name, text));
      const expected = getOwn(one.expected as JsonObject, 'format') === 'storyline' ? 'yes' : 'no';
      expect(storylineFormat.detect(head)).toEqual({
        confidence: expected,
        why: expect.stringMatching(/schema_version/),
      });
    });
  }

  test('an array of Storylines, and content before the name', async () => {
    const story = '{"turns":[],"schema_version":"storyline/v9"}';
    for (const text of [`[${story},1]`, `\ufeff ${story}`, `${story}\n${story}`]) {
      expect(storylineFormat.detect(await readHead(bytesSource('x.actf.json', text))).confidence).toBe('yes');
    }
    for (const text of ['[]', '{}', '[[1]]', '{"schema_version":1}', '"storyline/v1"']) {
      expect(storylineFormat.detect(await readHead(bytesSource('x.storyline.json', text))).confidence).toBe(
        'no',
      );
    }
  });
});

test('a Storyline has no envelope: the key is refused as any other', () => {
  const story = {
    schema_version: 'storyline/v1',
    session: 's',
    agent: { id: 'a' },
    turns: [],
    _storyline: {},
  };
  const { storylines, issues } = importDocument(storylineFormat, JSON.stringify(story));
  expect(storylines).toEqual([]);
  expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
    ['storyline/unknown-key', '/_storyline'],
  ]);
});

test('the fixtures are all of the cases', () => {
  expect(isJsonArray(casesOf('storyline') as unknown as Json)).toBe(true);
  expect(casesOf('storyline').length).toBe(36);
});
