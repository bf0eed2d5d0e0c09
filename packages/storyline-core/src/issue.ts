/** How much an issue matters: `error` rejects the document, `loss` names what a target cannot carry, `warning` and `info` only tell. */
export type Severity = 'error' | 'warning' | 'loss' | 'info';

/** A stable, documented code: the package's name, a slash, what is wrong. Example: `actf/unknown-tool-reference`. */
export type IssueCode = `${string}/${string}`;

/** Where an issue lies. */
export interface Place {
  /** The input's display path, as given by the user. */
  readonly source?: string;
  /** 1-based number of the record (array element, non-blank line) when the container holds several. */
  readonly record?: number;
  /** 1-based line in the source file. */
  readonly line?: number;
  /** 1-based column (in bytes) of `offset` in its line, where it is known. */
  readonly column?: number;
  /** 0-based byte offset in the source file. */
  readonly offset?: number;
  /** RFC 6901 pointer from the root of the source document; `""` is the whole document. For losses: a pointer into the Storyline. */
  readonly pointer: string;
}

/** One finding about data. Data never throws: it yields issues. */
export interface Issue {
  readonly code: IssueCode;
  readonly severity: Severity;
  /** One sentence: what was found and what was expected. */
  readonly message: string;
  readonly at: Place;
}

/** What readers and writers report to; the driver stamps source, record, line and byte offset. */
export type Report = (severity: Severity, code: IssueCode, pointer: string, message: string) => void;

/** Collects issues of one source. `issues` grows as the report is called; `failed()` tells whether an error was among them. */
export interface IssueCollector {
  readonly report: Report;
  readonly issues: Issue[];
  failed(): boolean;
}

/** Makes a collector whose issues carry `base` as their place. */
export function collectIssues(base: Omit<Place, 'pointer'> = {}): IssueCollector {
  const issues: Issue[] = [];
  let errors = 0;
  return {
    issues,
    failed: () => errors > 0,
    report(severity, code, pointer, message) {
      if (severity === 'error') errors += 1;
      issues.push({ code, severity, message, at: { ...base, pointer } });
    },
  };
}

/** A report of errors alone, which remembers whether there was one. */
export function failures(report: Report): {
  readonly fail: (code: IssueCode, pointer: string, message: string) => void;
  readonly failed: () => boolean;
} {
  let hasFailed = false;
  return {
    fail(code, pointer, message) {
      hasFailed = true;
      report('error', code, pointer, message);
    },
    failed: () => hasFailed,
  };
}

/** Thrown only by the `...OrThrow` conveniences: one error that holds all the issues. */
export class IssueError extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const first = issues.find((issue) => issue.severity === 'error') ?? issues[0];
    super(
      first === undefined
        ? 'no issues'
        : `${first.message} (${first.code} at ${first.at.pointer || 'the root'})`,
    );
    this.name = 'IssueError';
    this.issues = issues;
  }
}
