import {
  collectIssues,
  type Json,
  readStoryline,
  storylineFormat,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { arbitraryStoryline } from '../src/index.ts';
import { describeFormat } from '../src/vitest.ts';

/** The canonical form of a Storyline, as its specification gives it. */
function canonical(document: Json): Json {
  const storyline = readStoryline(document, collectIssues().report);
  if (storyline === undefined) throw new Error('the document is no Storyline');
  return storylineToJson(storyline);
}

describeFormat(storylineFormat, {
  samples: [
    {
      name: 'no turns',
      document: { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns: [] },
    },
    {
      name: 'nulls that are absence',
      document: {
        schema_version: 'storyline/v1',
        session: 't',
        agent: { id: 'a', name: null },
        turns: [{ id: 1, src: 'x', msg: null }],
        notes: null,
      },
    },
  ],
  documents: arbitraryStoryline().map(storylineToJson),
  storylines: arbitraryStoryline(),
  normalise: canonical,
});
