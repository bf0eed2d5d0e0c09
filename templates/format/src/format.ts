import type { Format } from '@pchronicle/storyline-core';
import { decode } from './decode.ts';
import { detect } from './detect.ts';
import type { ExampleDocument } from './document.ts';
import { expresses, fromStoryline } from './from-storylines.ts';
import { toStorylines } from './to-storylines.ts';

/** Example chat logs, as a format: one document a conversation. */
export const example = {
  id: 'example',
  title: 'Example chat log',
  extensions: ['.example.json'],
  containers: [
    { kind: 'document', outer: 'document' },
    { kind: 'document', outer: 'array' },
    { kind: 'document', outer: 'lines' },
  ],
  fidelity: { roundTrip: 'normalised', expresses },
  detect,
  reader: {
    frame: () => ({}),
    decode,
    toStorylines,
  },
  writer: {
    group: (_head, index) => String(index),
    frame: () => ({}),
    root: () => ({}),
    *write(storyline, _frame, report) {
      const value = fromStoryline(storyline, report);
      if (value !== undefined) yield { value };
    },
  },
} as const satisfies Format<object, ExampleDocument>;
