import { type Failure, failureIssue } from '../failure.ts';
import { issueJson } from '../issues/json.ts';
import { safeLine } from './safe.ts';
import { createStyle, type Style, wantsColor } from './style.ts';

/** Everything a command says that is not data: to stderr, silent under `--quiet` except for errors, JSON objects under `--json`. */
export interface Notes {
  readonly style: Style;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly isTerminal: boolean;
  /** A line for a person: nothing under `--quiet` or `--json`. The caller has made data in it safe. */
  say(line: string): void;
  /** A line that `--quiet` does not silence. */
  insist(line: string): void;
  /** A failure, as a sentence or as an issue object. */
  fail(failure: Failure): void;
  /** A progress display registers itself here, so that it makes room before a line is written. */
  onWrite: (() => void) | undefined;
  /** Resolves when all has been written. */
  flush(): Promise<void>;
}

/** Notes on stderr. */
export function createNotes(options: { quiet?: boolean; color?: boolean; json?: boolean }): Notes {
  const style = createStyle(wantsColor(process.stderr, options.color !== false));
  const json = options.json === true;
  const quiet = options.quiet === true;
  process.stderr.on('error', () => {}); // a closed stderr must not end the work
  const notes: Notes = {
    style,
    json,
    quiet,
    isTerminal: process.stderr.isTTY === true,
    onWrite: undefined,
    say(line) {
      if (!quiet && !json) notes.insist(line);
    },
    insist(line) {
      notes.onWrite?.();
      process.stderr.write(`${line}\n`);
    },
    fail(failure) {
      if (json) return notes.insist(issueJson(failureIssue(failure)));
      const source = failure.source === undefined ? '' : `${safeLine(failure.source)}: `;
      notes.insist(
        `${style.error('error')}: ${source}${safeLine(failure.message)} ${style.faint(`(${failure.code})`)}`,
      );
      for (const line of failure.details) notes.insist(`  ${safeLine(line)}`);
      if (failure.hint !== undefined) notes.insist(`  ${safeLine(failure.hint)}`);
    },
    flush: () => new Promise((resolve) => process.stderr.write('', () => resolve())),
  };
  return notes;
}
