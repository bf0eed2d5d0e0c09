import type { Issue } from '@pchronicle/storyline-core';
import type { Notes } from '../terminal/notes.ts';
import { issueJson } from './json.ts';
import { tallyLines } from './lines.ts';
import { createTally, type IssueTally } from './tally.ts';

/** The issues of one command: objects on stderr at once under `--json`, else counted and shown grouped at the end. */
export interface IssueLog {
  readonly tally: IssueTally;
  add(issue: Issue): void;
  /** Writes the groups for a person, without mere information; `--quiet` leaves only errors. Called once, at the end. */
  print(): void;
}

/** Makes the log of one command; for a person it shows the first `keep` issues of each code. */
export function createIssueLog(notes: Notes, keep = 3): IssueLog {
  const tally = createTally(keep);
  return {
    tally,
    add(issue) {
      tally.add(issue);
      if (notes.json && !(notes.quiet && issue.severity !== 'error')) notes.insist(issueJson(issue));
    },
    print() {
      if (notes.json) return;
      const severities = notes.quiet ? (['error'] as const) : (['error', 'warning', 'loss'] as const);
      for (const line of tallyLines(tally, notes.style, severities)) notes.insist(line);
    },
  };
}
