import type { Issue, IssueCode, Severity } from '@pchronicle/storyline-core';

/** How many issues there were of each severity. */
export interface SeverityCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly losses: number;
  readonly info: number;
}

/** Issues of one code and severity: how many there were, and the first few of them. */
export interface IssueGroup {
  readonly code: IssueCode;
  readonly severity: Severity;
  readonly count: number;
  readonly examples: readonly Issue[];
}

/** Counts issues and keeps the first `keep` of each code, so that a million of them cost no memory. */
export interface IssueTally {
  add(issue: Issue): void;
  readonly counts: SeverityCounts;
  /** Counts by code, in code order: the `issues` of `import --json`. */
  byCode(): { readonly [code: string]: number };
  /** Groups by gravity, then in order of first appearance. */
  groups(): readonly IssueGroup[];
}

const GRAVITY: readonly Severity[] = ['error', 'warning', 'loss', 'info'];

/** Makes an empty tally. */
export function createTally(keep: number): IssueTally {
  const groups = new Map<string, { code: IssueCode; severity: Severity; count: number; examples: Issue[] }>();
  const totals = { error: 0, warning: 0, loss: 0, info: 0 };
  return {
    add(issue) {
      totals[issue.severity] += 1;
      const key = `${issue.severity} ${issue.code}`;
      let group = groups.get(key);
      if (group === undefined) {
        group = { code: issue.code, severity: issue.severity, count: 0, examples: [] };
        groups.set(key, group);
      }
      group.count += 1;
      if (group.examples.length < keep) group.examples.push(issue);
    },
    get counts() {
      return { errors: totals.error, warnings: totals.warning, losses: totals.loss, info: totals.info };
    },
    byCode() {
      const sums = new Map<string, number>();
      for (const { code, count } of groups.values()) sums.set(code, (sums.get(code) ?? 0) + count);
      return Object.fromEntries([...sums].sort(([left], [right]) => (left < right ? -1 : 1)));
    },
    groups: () =>
      [...groups.values()].sort(
        (left, right) => GRAVITY.indexOf(left.severity) - GRAVITY.indexOf(right.severity),
      ),
  };
}

/** `2 errors, 1 warning, 5 losses`; `no issues` when there were none. */
export function countsInWords(counts: SeverityCounts): string {
  const words: string[] = [];
  const add = (count: number, one: string, many: string): void => {
    if (count > 0) words.push(`${count.toLocaleString('en-US')} ${count === 1 ? one : many}`);
  };
  add(counts.errors, 'error', 'errors');
  add(counts.warnings, 'warning', 'warnings');
  add(counts.losses, 'loss', 'losses');
  add(counts.info, 'note', 'notes');
  return words.length === 0 ? 'no issues' : words.join(', ');
}
