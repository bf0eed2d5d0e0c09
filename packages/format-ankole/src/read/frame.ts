import type { DocumentRoot, Report } from '@pchronicle/storyline-core';

/** What a reader remembers of a file: how its values lie, and how many there are. */
export interface AnkoleFrame {
  readonly form: 'document' | 'array' | 'lines';
  readonly count: number;
  /** It is told already that they are several trajectories. */
  readonly isTold?: true;
}

/** Looks how the values of a file lie, and tells when an array holds several trajectories. */
export function readFrame(
  { in: where, count = 1, groups = 1 }: DocumentRoot,
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
  if (where === 'lines') return { form: 'lines', count };
  if (groups < 2) return { form: 'array', count };
  tellSeveral(groups, report);
  return { form: 'array', count, isTold: true };
}

/** Tells that an array holds several trajectories. */
export function tellSeveral(count: number, report: Report): void {
  report(
    'info',
    'ankole/several-trajectories',
    '',
    `its values make ${count} conversations, jobs, turns or documents; each that can be read is a Storyline of its own and is written as a document of its own`,
  );
}
