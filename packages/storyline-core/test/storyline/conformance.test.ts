import { readdirSync, readFileSync } from 'node:fs';
import {
  collectIssues,
  getPointer,
  type Json,
  type JsonObject,
  readStoryline,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../fixtures/storyline/', import.meta.url);

interface Case {
  readonly name: string;
  readonly op: 'import' | 'reject';
  readonly input: JsonObject;
  readonly expected_pointers?: readonly { pointer: string; value?: Json; absent?: true; absent_or?: Json }[];
  readonly expected_error_contains?: readonly string[];
}

const cases = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case,
);

describe('conformance: storyline', () => {
  for (const { name, op, input, expected_pointers = [], expected_error_contains = [] } of cases) {
    test(name, () => {
      const { report, issues } = collectIssues();
      const story = readStoryline(input, report);
      if (op === 'reject') {
        expect(story).toBeUndefined();
        const text = issues.map((issue) => issue.message.toLowerCase()).join('\n');
        for (const part of expected_error_contains) expect(text).toContain(part.toLowerCase());
        return;
      }
      expect(issues).toEqual([]);
      for (const { pointer, value, absent, absent_or } of expected_pointers) {
        const found = getPointer([story as unknown as Json], pointer);
        if (absent === true) expect(found).toBeUndefined();
        else if (absent_or !== undefined) expect([undefined, absent_or]).toContainEqual(found);
        else expect(found).toEqual(value);
      }
    });
  }
});
