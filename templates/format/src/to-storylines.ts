import { residuals, STORYLINE_VERSION, type Storyline } from '@pchronicle/storyline-core';
import type { ExampleDocument } from './document.ts';

/** What an Example document means: one Storyline, a turn for each message (see MAPPING.md). */
export function* toStorylines(document: ExampleDocument): Iterable<Storyline> {
  const leftOver = residuals('example', document.conversation);
  for (const [pointer, value] of document.unknown) leftOver.add(pointer, value);
  yield {
    schema_version: STORYLINE_VERSION,
    origin: { format: 'example' },
    session: document.conversation,
    agent: { id: document.agent },
    turns: document.messages.map(({ id, from, text, at }) => ({
      id,
      src: from,
      msg: text,
      ...(at === undefined ? {} : { ts: at }),
    })),
    ...leftOver.build(),
  };
}
