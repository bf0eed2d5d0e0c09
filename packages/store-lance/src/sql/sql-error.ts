/** Codes of {@link SqlError}. */
export type SqlErrorCode =
  | 'store/sql-invalid'
  | 'store/sql-not-read-only'
  | 'store/sql-one-statement'
  | 'store/sql-timeout'
  | 'store/sql-memory'
  | 'store/sql-failed';

/** Where in a statement something is wrong. */
export interface SqlPosition {
  /** 0-based, in characters (UTF-16 units). */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
}

/** Thrown when a query cannot be answered; what the person who wrote it needs to know, and where in it. */
export class SqlError extends Error {
  readonly code: SqlErrorCode;
  readonly position?: SqlPosition;

  constructor(code: SqlErrorCode, message: string, position?: SqlPosition) {
    super(message);
    this.name = 'SqlError';
    this.code = code;
    if (position !== undefined) this.position = position;
  }
}

/** Makes the error of a failure in the worker. `offset` counts bytes of the statement's UTF-8 text. */
export function sqlError(sql: string, kind: string, message: string, offset?: number): SqlError {
  const position = offset === undefined ? undefined : positionAt(sql, offset);
  // DuckDB's advice is about settings that are locked here.
  const text = message
    .replace(/\s*Possible solutions:.*$/s, '')
    .replace(/\s*This limit was set by the 'max_temp_directory_size'.*$/s, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const at = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`;
  return new SqlError(codeOf(kind, text), `${text}${at}`, position);
}

function codeOf(kind: string, message: string): SqlErrorCode {
  if (kind === 'one-statement') return 'store/sql-one-statement';
  if (kind === 'not-read-only' || kind === 'Permission') return 'store/sql-not-read-only';
  if (/out of memory/i.test(kind) || /out of memory/i.test(message)) return 'store/sql-memory';
  if (
    /^(parser|binder|catalog|syntax|conversion|invalid input|out of range|type mismatch|mismatch type)/i.test(
      kind,
    )
  )
    return 'store/sql-invalid';
  return 'store/sql-failed';
}

function positionAt(sql: string, bytes: number): SqlPosition {
  const before = Buffer.from(sql).subarray(0, bytes).toString();
  const lines = before.split('\n');
  return { offset: before.length, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
