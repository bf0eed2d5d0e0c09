import type { Container, Format } from '@pchronicle/storyline-core';
import { detect } from './detect.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from './keys.ts';
import { decode } from './read/decode.ts';
import { type AnkoleFrame, readFrame } from './read/frame.ts';
import type { AnkolePart } from './read/parts.ts';
import { toStorylines } from './read/to-storylines.ts';
import { writeStoryline } from './write/writer.ts';

/** Pages and rows in an array or in lines, gathered by what they belong to, however large the file is. */
const GATHERED = {
  kind: 'rows',
  member: ROWS_MEMBER,
  group: ['conversation_id', 'turn_id', '/job/id', '/messages/0/conversation_id', '/conversation/id'],
  prefix: 'conv_',
  // Responses that name no conversation belong to those that they continue.
  links: { keys: ['id', 'previous_response_id'], prefix: 'resp_' },
  // A page without messages has its cursor only.
  adopts: 'next_cursor',
  order: [],
} as const;

/** One value; or an array or lines of them. */
const CONTAINERS: readonly [Container, ...Container[]] = [
  { kind: 'document', outer: 'document' },
  { ...GATHERED, in: 'lines' },
  { ...GATHERED, in: 'array' },
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
  joins: true,
  detect,
  reader: {
    frame: readFrame,
    decode,
    toStorylines,
  },
  writer: {
    // Lines and arrays take whatever comes; every other document holds one Storyline.
    group: (_head, index, _source, container) => (container?.kind === 'rows' ? 'all' : String(index)),
    frame: () => ({ form: 'document', count: 0 }),
    root: () => ({}),
    write: (storyline, _, report, container) => writeStoryline(storyline, report, container),
  },
};
