import type { AnyFormat, Format } from '@pchronicle/storyline-core';
import { detectOpenaiMessages } from './detect.ts';
import { LAYOUT_SOURCE, SOURCE } from './keys.ts';
import type { Frame, SessionPart } from './read/part.ts';
import { containers, reader, title, writer } from './rows-format.ts';
import type { OutFrame } from './write/writer.ts';

// Spelled out, since a bundler keeps what is made by a spread in pages that never use it.
const format: Format<Frame | OutFrame, SessionPart> = {
  id: SOURCE,
  aliases: ['openai-messages'],
  title,
  extensions: ['.openai-messages.json', '.session_steps.json', '.jsonl'],
  containers,
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
  rounds: true,
  detect: detectOpenaiMessages,
  reader,
  writer,
};

/**
 * OpenAI Messages rows (RFC-0009): `{ "session_steps": [row, …] }`, an array of rows, or a row a line; one Storyline for each
 * `session_id`, wherever its rows stand.
 */
export const openaiMessages: AnyFormat = format;
