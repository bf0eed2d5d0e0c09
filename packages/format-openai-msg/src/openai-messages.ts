import { type AnyFormat, type Format, fieldsOf, getOwn } from '@pchronicle/storyline-core';
import { detectOpenaiMessages } from './detect.ts';
import { firstIndex } from './history/layout.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from './keys.ts';
import { decodeSession } from './read/decode.ts';
import { readFrame } from './read/frame.ts';
import type { Frame, SessionPart } from './read/part.ts';
import { toStorylines } from './read/to-storylines.ts';
import { groupOf, makeFrame, type OutFrame, writeStory } from './write/writer.ts';

const rows = { kind: 'rows', member: ROWS_MEMBER, group: 'session_id', order: ['step_id'] } as const;

const format: Format<Frame | OutFrame, SessionPart> = {
  id: SOURCE,
  aliases: ['openai-messages'],
  title: 'OpenAI Messages',
  extensions: ['.openai-messages.json', '.session_steps.json', '.jsonl'],
  containers: [
    { ...rows, in: 'member' },
    { ...rows, in: 'array' },
    { ...rows, in: 'lines' },
  ],
  fidelity: {
    roundTrip: 'normalised',
    expresses: [
      '/session',
      '/agent/id',
      '/turns/*/src',
      '/turns/*/msg',
      '/turns/*/tool_calls/*/fn',
      '/turns/*/tool_calls/*/args',
    ],
  },
  ownSources: [LAYOUT_SOURCE],
  detect: detectOpenaiMessages,
  reader: {
    frame: readFrame,
    decode: (record, report) =>
      decodeSession({ ...record, frame: record.frame as Frame, values: () => record.values() }, report),
    toStorylines,
  },
  writer: {
    group: groupOf,
    frame: makeFrame,
    root: (frame) => frame.root,
    firstPlace: (head) => firstIndex(getOwn(fieldsOf(head, LAYOUT_SOURCE) ?? {}, `/${ROWS_MEMBER}`)),
    write: (storyline, frame, report) => writeStory(storyline, frame as OutFrame, report),
  },
};

/**
 * OpenAI Messages rows (RFC-0009): `{ "session_steps": [row, …] }`, an array of rows, or a row a line; one Storyline for each
 * `session_id`, wherever its rows stand.
 */
export const openaiMessages: AnyFormat = format;
