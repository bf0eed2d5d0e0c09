import type { FromWorker } from './messages.ts';

/** Says what went wrong; DuckDB's errors are JSON with a byte position in the statement. */
export function failedMessage(cause: unknown): FromWorker {
  const text = cause instanceof Error ? cause.message : String(cause);
  const start = text.indexOf('{"exception_type"');
  if (start >= 0) {
    try {
      const parsed = JSON.parse(text.slice(start)) as {
        exception_type?: unknown;
        exception_message?: unknown;
        position?: unknown;
      };
      const offset = Number(parsed.position);
      return {
        type: 'failed',
        kind: String(parsed.exception_type),
        message: String(parsed.exception_message),
        ...(parsed.position === undefined || !Number.isInteger(offset) ? {} : { offset }),
      };
    } catch {
      // Not JSON after all: the text itself is the message.
    }
  }
  if (text === 'Error in native callback')
    return { type: 'failed', kind: 'syntax', message: 'the statement is empty' };
  // Some are plain text all the same.
  const [, kind = 'other', message = text] = /^(\w[\w ]*) Error: (.*)$/s.exec(text) ?? [];
  return { type: 'failed', kind, message };
}
