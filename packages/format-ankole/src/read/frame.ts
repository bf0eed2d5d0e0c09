import type { DocumentRoot, Report } from '@pchronicle/storyline-core';

/** What a reader remembers of a file: how its values lie, and how many there are. */
export interface AnkoleFrame {
  readonly form: 'document' | 'array' | 'lines';
  readonly count: number;
}

/** Looks how the values of a file lie, and tells when an array holds several trajectories. */
export function readFrame(
  { in: where, count = 1, keys }: DocumentRoot,
  report: Report,
): AnkoleFrame | undefined {
  if (where === undefined) return { form: 'document', count };
  if (where !== 'lines' && count === 0) {
    report(
      'error',
      'ankole/empty',
      '',
      'there are no pages, documents or rows in it; at least one was expected',
    );
    return undefined;
  }
  if (where !== 'lines' && keys.length > 1)
    report(
      'info',
      'ankole/several-trajectories',
      '',
      `there are ${keys.length} conversations, jobs or turns in it; each is a Storyline of its own and is written as a document of its own`,
    );
  return { form: where === 'lines' ? 'lines' : 'array', count };
}
