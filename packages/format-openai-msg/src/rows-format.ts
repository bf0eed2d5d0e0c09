import type { Container, DrivenFormat, Reader, SourceRecord, Writer } from '@pchronicle/storyline-core';
import { firstIndex } from './history/layout.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from './keys.ts';
import { decodeSession } from './read/decode.ts';
import { readFrame } from './read/frame.ts';
import type { Frame, SessionPart } from './read/part.ts';
import { toStorylines } from './read/to-storylines.ts';
import { layoutJson } from './write/story-layout.ts';
import { groupOf, makeFrame, type OutFrame, writeStory } from './write/writer.ts';

const rows = { kind: 'rows', member: ROWS_MEMBER, group: 'session_id', order: ['step_id'] } as const;

/** The object with the rows, an array of them, or one a line. */
export const containers: readonly [Container, ...Container[]] = [
  { ...rows, in: 'member' },
  { ...rows, in: 'array' },
  { ...rows, in: 'lines' },
];

/** Reads the rows of a session. */
export const reader: Reader<Frame | OutFrame, SessionPart> = {
  frame: readFrame,
  decode: (record, report) => decodeSession(record as SourceRecord<Frame>, report),
  toStorylines,
};

/** Writes the rows of a session. */
export const writer: Writer<Frame | OutFrame> = {
  group: groupOf,
  frame: makeFrame,
  root: (frame) => frame.root,
  firstPlace: (head) => firstIndex(layoutJson(head)),
  write: (storyline, _frame, report) => writeStory(storyline, report),
};

/** What the format is called. */
export const title = 'OpenAI Messages';

/** The format as the drivers need it: functions for rows alone leave the rest out of what they load. */
export const rowsFormat: DrivenFormat<Frame | OutFrame, SessionPart> = {
  id: SOURCE,
  title,
  containers,
  ownSources: [LAYOUT_SOURCE],
  rounds: true,
  reader,
  writer,
};
