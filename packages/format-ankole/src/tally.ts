import type { IssueCode, Report, Severity } from '@pchronicle/storyline-core';

/** Gathers findings of one kind, so that a long document tells each kind once, with its count and first place. */
export interface Tally {
  add(severity: Severity, code: IssueCode, pointer: string, message: string): void;
  tell(report: Report): void;
}

/** Starts an empty tally. */
export function startTally(): Tally {
  const found = new Map<IssueCode, { severity: Severity; pointer: string; message: string; count: number }>();
  return {
    add(severity, code, pointer, message) {
      const known = found.get(code);
      if (known === undefined) found.set(code, { severity, pointer, message, count: 1 });
      else known.count += 1;
    },
    tell(report) {
      for (const [code, { severity, pointer, message, count }] of found)
        report(severity, code, pointer, count === 1 ? message : `${message} (${count} times in all)`);
    },
  };
}
