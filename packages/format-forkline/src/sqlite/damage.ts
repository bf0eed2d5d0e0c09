import { type Issue, IssueError, type Place } from '@pchronicle/storyline-core';

/** Runs a reading step; what SQLite throws becomes an issue at the place that was being read. */
export function guarded<T>(at: Place, what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw damageOf(error, at, what);
  }
}

/** Iterates rows; what SQLite throws on the way becomes an issue. */
export function* guardedRows<T>(at: Place, what: string, rows: Iterable<T>): Generator<T> {
  const iterator = rows[Symbol.iterator]();
  let count = 0;
  try {
    for (;;) {
      let next: IteratorResult<T>;
      try {
        next = iterator.next();
      } catch (error) {
        throw damageOf(error, at, `${what}, after ${count} rows`);
      }
      if (next.done === true) return;
      count += 1;
      yield next.value;
    }
  } finally {
    iterator.return?.();
  }
}

function damageOf(error: unknown, at: Place, what: string): unknown {
  if (error instanceof IssueError) return error;
  if (!isSqliteError(error)) return error;
  const issue: Issue = {
    code: 'forkline/damaged-database',
    severity: 'error',
    message: `SQLite cannot read ${what}: ${error.message}`,
    at,
  };
  return new IssueError([issue]);
}

/** Errors of either engine: `SQLite3Error` of the WebAssembly one, `ERR_SQLITE_ERROR` of Node's. */
function isSqliteError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'SQLite3Error' ||
    error.constructor.name === 'SQLite3Error' ||
    (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR'
  );
}
