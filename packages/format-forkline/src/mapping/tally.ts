import type { IssueCode, Report, Severity } from '@pchronicle/storyline-core';

/** Counts findings that would otherwise be told once an event, and tells each kind once, at its first place. */
export interface Tally {
  add(kind: TallyKind, pointer: string, count?: number): void;
  tell(report: Report): void;
}

/** The kinds of findings that are counted. */
export type TallyKind = 'time' | 'nonFinite' | 'emptyField' | 'type' | 'runId';

const TEXTS: {
  readonly [kind in TallyKind]: readonly [Severity, IssueCode, (count: number) => string];
} = {
  time: [
    'warning',
    'forkline/time-format',
    (count) => `${times(count)} is no RFC 3339 time with an offset; it is kept as a residual`,
  ],
  nonFinite: [
    'info',
    'forkline/non-finite-number',
    (count) =>
      `${count === 1 ? 'one number is' : `${count} numbers are`} NaN or infinite, which JSON cannot hold; tagged as {"$nonfinite": …}`,
  ],
  emptyField: [
    'warning',
    'forkline/empty-field',
    (count) => `${times(count)} is missing or empty, where the artifact schema requires a text`,
  ],
  type: [
    'warning',
    'forkline/wrong-event-field',
    (count) => `${times(count)} has a type that the artifact schema does not allow; it is kept as a residual`,
  ],
  runId: [
    'info',
    'forkline/other-run-id',
    (count) => `${times(count)} names another run than the artifact it lies in; it is kept`,
  ],
};

function times(count: number): string {
  return count === 1 ? 'a field' : `a field (the first of ${count} such)`;
}

/** Starts an empty tally. */
export function tally(): Tally {
  const found = new Map<TallyKind, { first: string; count: number }>();
  return {
    add(kind, pointer, count = 1) {
      const known = found.get(kind);
      if (known === undefined) found.set(kind, { first: pointer, count });
      else known.count += count;
    },
    tell(report) {
      for (const [kind, { first, count }] of found) {
        const [severity, code, message] = TEXTS[kind];
        report(severity, code, first, message(count));
      }
    },
  };
}
