import type { IssueCode, Report, Severity } from '@pchronicle/storyline-core';

/** So many issues of one kind are reported each by itself. */
const SINGLE = 20;

/** Reports many issues of a kind without filling the memory. */
export interface Tally {
  readonly report: Report;
  /** Reports how many issues of each kind there were beyond those reported. */
  close(): void;
}

/** Starts a tally: the first issues of a kind (same code, same pointer but for array positions) go through, the rest is counted. */
export function tallyIssues(report: Report): Tally {
  const counts = new Map<
    string,
    { severity: Severity; code: IssueCode; count: number; pointer: string; message: string }
  >();
  return {
    report(severity, code, pointer, message) {
      const kind = `${code} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
      const known = counts.get(kind) ?? { severity, code, count: 0, pointer, message };
      counts.set(kind, known);
      known.count += 1;
      known.pointer = pointer;
      if (known.count <= SINGLE) report(severity, code, pointer, message);
    },
    close() {
      for (const { severity, code, count, pointer, message } of counts.values()) {
        if (count > SINGLE)
          report(severity, code, pointer, `${message} (the last of ${count} like it; ${SINGLE} are listed)`);
      }
    },
  };
}
