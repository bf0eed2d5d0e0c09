import { failures, type Report, type SourceRecord, toBigInt } from '@pchronicle/storyline-core';
import { checkRow } from './check-row.ts';
import type { Frame, RowPart, SessionPart } from './part.ts';
import { sessionReader } from './session-reader.ts';

/** Largest turn id (RFC-0009: its computation must not overflow). */
const LARGEST_ID = 2n ** 63n - 1n;

/**
 * Decodes the rows of one session as they are handed over, in ascending order of `step_id`: each is parsed, compared with the
 * history so far and let go; only what it adds is kept. Every fault of every row is reported; one of them rejects the session.
 */
export function decodeSession(
  record: Pick<SourceRecord<Frame>, 'frame' | 'key' | 'values'>,
  report: Report,
): SessionPart | undefined {
  const { fail, failed } = failures(report);
  const reader = sessionReader();
  const rows: RowPart[] = [];
  const steps = new Set<bigint>();
  let count = 0;
  for (const at of record.values()) {
    count += 1;
    const { pointer } = at.at;
    const checked = checkRow(at.value, record.key, pointer, report);
    if (checked === undefined) continue;
    const step = toBigInt(checked.step);
    if (steps.has(step)) {
      const message = `step_id ${step} is that of another row`;
      fail('openai-msg/duplicate-step-id', `${pointer}/step_id`, message);
      continue;
    }
    steps.add(step);
    const part = reader.read(checked, at, report);
    if (part !== undefined) rows.push(part);
    if (2n * step + BigInt(reader.context.length) > LARGEST_ID) {
      const message = `step_id ${step} gives a turn id beyond 64 bits`;
      fail('openai-msg/turn-id-overflow', `${pointer}/step_id`, message);
    }
  }
  // Rows that cannot be parsed are told by whoever hands them over.
  if (failed() || rows.length < count || count === 0) return undefined;
  const session = record.key ?? (rows[0]?.row.session_id as string);
  return { frame: record.frame, session, context: reader.context, rows };
}
