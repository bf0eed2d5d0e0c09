import type { SqlError, SqlErrorCode } from '@pchronicle/store-lance/sql';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { safeLine } from '../terminal/safe.ts';
import { displayWidth } from '../terminal/width.ts';

/** Codes that are faults of the statement, not of the store. */
const USAGE: readonly SqlErrorCode[] = [
  'store/sql-invalid',
  'store/sql-not-read-only',
  'store/sql-one-statement',
];

/** How a statement that was sent differs from what the user wrote. */
export interface Wrapped {
  /** Lines put in front of the user's text. */
  readonly linesBefore: number;
}

/** Runs something that asks SQL; what is wrong with the statement becomes a {@link Failure} that points into the user's text. */
export async function explainSql<Result>(
  text: string,
  context: Context,
  action: () => Promise<Result>,
  wrapped: Wrapped = { linesBefore: 0 },
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    context.interrupt.check(); // a stopped query fails too
    throw isSqlError(error) ? sqlFailure(error, text, context, wrapped) : error;
  }
}

function isSqlError(error: unknown): error is SqlError {
  return error instanceof Error && error.name === 'SqlError' && 'code' in error;
}

function sqlFailure(error: SqlError, text: string, context: Context, { linesBefore }: Wrapped): Failure {
  const exit = USAGE.includes(error.code) ? EXIT.usage : EXIT.store;
  const message = error.message
    .replace(/ \(line \d+, column \d+\)$/, '')
    .replace(/(Candidate functions:)(.*)$/s, (_, head, list) => `${head}${firstFew(list)}`);
  const way = hintOf(error.code, message);
  const hint = way === undefined ? {} : { hint: way };
  if (error.position === undefined) return new Failure(exit, error.code, message, hint);
  const lines = text.split('\n');
  const line = Math.min(lines.length, Math.max(1, error.position.line - linesBefore));
  const shown = lines[line - 1] ?? '';
  const column =
    line === error.position.line - linesBefore
      ? Math.min(error.position.column, shown.length + 1)
      : shown.length + 1;
  return new Failure(exit, error.code, `${message} (line ${line}, column ${column})`, {
    ...hint,
    details: context.notes.json ? [] : pointAt(shown, column),
  });
}

/** A function with many signatures has a page of them; the first few show what is meant. */
function firstFew(list: string): string {
  const signatures = list.split(/(?<=-> \S+) (?=\S+\()/);
  return signatures.length <= 4
    ? list
    : `${signatures.slice(0, 3).join(' ')} … and ${signatures.length - 3} more`;
}

function hintOf(code: SqlErrorCode, message: string): string | undefined {
  if (code === 'store/sql-memory') return 'ask for less, or give it more with --memory';
  if (code === 'store/sql-timeout') return 'ask for less, or give it more time with --timeout';
  if (/table with name|referenced table/i.test(message))
    return 'the tables are runs, steps and tool_calls; DESCRIBE runs lists the columns of one';
  return undefined;
}

const BEFORE = 60;
const AFTER = 40;

/** The line with a caret below the column (from 1); of a long line the piece around it. */
function pointAt(line: string, column: number): string[] {
  const start = Math.max(0, column - 1 - BEFORE);
  const head = start > 0 ? '…' : '';
  const tail = column - 1 + AFTER < line.length ? '…' : '';
  const before = `${head}${safeLine(line.slice(start, column - 1))}`;
  const after = `${safeLine(line.slice(column - 1, column - 1 + AFTER))}${tail}`;
  return [`${before}${after}`, `${' '.repeat(displayWidth(before))}^`];
}
