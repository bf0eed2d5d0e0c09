import type { Container, Format } from '@pchronicle/storyline-core';
import { detect } from './detect.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from './keys.ts';
import { type AnkoleFrame, decode } from './read/decode.ts';
import type { AnkolePart } from './read/parts.ts';
import { toStorylines } from './read/to-storylines.ts';
import { writeStoryline } from './write/writer.ts';

/** One value, an array included, whose pages are joined; or lines, whose rows are gathered however large the file is. */
const CONTAINERS: readonly [Container, ...Container[]] = [
  { kind: 'document', outer: 'document' },
  {
    kind: 'rows',
    in: 'lines',
    member: ROWS_MEMBER,
    group: ['conversation_id', 'turn_id'],
    order: [],
  },
];

/**
 * Ankole's conversations and job trajectories: Console pages, Responses, `ankole_chatml` documents, and rows of its tables (decisions
 * K1-K5). Storylines that came of them go back into their own shape, all others become `ankole_chatml` version 1.
 */
export const ankole: Format<AnkoleFrame, AnkolePart> = {
  id: SOURCE,
  title: 'Ankole',
  extensions: ['.ankole.json', '.jsonl'],
  containers: CONTAINERS,
  schema: { id: 'ankole_chatml', version: '1' },
  fidelity: { roundTrip: 'normalised', expresses: [] },
  ownSources: [LAYOUT_SOURCE],
  branches: true,
  detect,
  reader: {
    frame: ({ count }) => ({ form: count === undefined ? 'document' : 'lines' }),
    decode,
    toStorylines,
  },
  writer: {
    // Lines take whatever comes; every other document holds one Storyline.
    group: (_head, index, _source, container) => (container?.kind === 'rows' ? 'lines' : String(index)),
    frame: () => ({ form: 'document' }),
    root: () => ({}),
    write: (storyline, _, report, container) => writeStoryline(storyline, report, container),
  },
};
