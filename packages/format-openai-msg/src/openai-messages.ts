import type { AnyFormat } from '@pchronicle/storyline-core';
import { detectOpenaiMessages } from './detect.ts';
import { rowsFormat } from './rows-format.ts';

/**
 * OpenAI Messages rows (RFC-0009): `{ "session_steps": [row, …] }`, an array of rows, or a row a line; one Storyline for each
 * `session_id`, wherever its rows stand.
 */
export const openaiMessages: AnyFormat = {
  ...rowsFormat,
  aliases: ['openai-messages'],
  extensions: ['.openai-messages.json', '.session_steps.json', '.jsonl'],
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
  detect: detectOpenaiMessages,
};
