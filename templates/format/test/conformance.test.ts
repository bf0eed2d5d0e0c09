import { arbitraryJson, arbitraryObjectOf, arbitraryText, arbitraryTime } from '@pchronicle/conformance';
import { describeFormat } from '@pchronicle/conformance/vitest';
import type { Json } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { example, normaliseExample } from '../src/index.ts';

const name = arbitraryText().filter((text) => text !== '');
const known = new Set(['conversation', 'agent', 'messages', 'id', 'from', 'text', 'at', '_storyline']);
const strangers = arbitraryObjectOf(arbitraryJson()).map((object) =>
  Object.entries(object).filter(([key]) => !known.has(key)),
);

/** Legal documents, with unknown keys at every level. */
const documents: fc.Arbitrary<Json> = fc
  .record({
    conversation: name,
    agent: name,
    messages: fc.uniqueArray(
      fc
        .record(
          { id: fc.maxSafeInteger(), from: name, text: arbitraryJson(), at: fc.option(arbitraryTime()) },
          { requiredKeys: ['id', 'from', 'text'] },
        )
        .chain((message) => strangers.map((entries) => ({ ...message, ...Object.fromEntries(entries) }))),
      { maxLength: 4, selector: (message) => message.id },
    ),
  })
  .chain((document) =>
    strangers.map((entries) => ({ ...document, ...Object.fromEntries(entries) }) as unknown as Json),
  );

describeFormat(example, {
  samples: [
    {
      name: 'one question',
      document: {
        conversation: 'c',
        agent: 'a',
        messages: [{ id: 1, from: 'user', text: 'Why?', at: '2026-08-01T10:00:00Z' }],
      },
    },
    { name: 'no messages', document: { conversation: 'd', agent: 'a', messages: [] } },
  ],
  documents,
  normalise: normaliseExample,
});
