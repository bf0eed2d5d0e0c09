import { expect, test } from 'vitest';
import { ALL_FORMAT_NAMES, FORMAT_NAMES } from '../../src/format-names.ts';
import { readableExtensions, registry } from '../../src/formats.ts';
import { didYouMean, nearest } from '../../src/suggest.ts';

test('the names that help and completion offer are those of the formats', () => {
  expect(FORMAT_NAMES).toEqual(registry.formats.map(({ id, aliases }) => ({ id, aliases: aliases ?? [] })));
});

test('a walk takes JSON, JSON Lines, and the endings of every format that reads', () => {
  expect(readableExtensions()).toEqual(expect.arrayContaining(['.json', '.jsonl', '.ndjson', '.actf.json']));
});

test.each([
  ['acft', 'actf'],
  ['ACTF', 'actf'],
  ['story-line', 'storyline'],
  ['openai_msg', 'openai-msg'],
  ['zzzzzzz', undefined],
  ['x', undefined],
])('the nearest format to %s is %s', (typed, found) => {
  expect(nearest(typed, ALL_FORMAT_NAMES)).toBe(found);
});

test('a suggestion is quoted, so that nothing in it can steer a terminal', () => {
  expect(didYouMean('a\u001b.json', ['a\u001b[.json'])).toBe('did you mean "a\\u001b[.json"?');
  expect(didYouMean('abc', [])).toBe(undefined);
});
