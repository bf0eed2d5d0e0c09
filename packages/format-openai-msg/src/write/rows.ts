import {
  defined,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type WrittenRecord,
} from '@pchronicle/storyline-core';
import { copyOf, withResiduals } from './entry.ts';
import { namesAgent, writeRowFields } from './row-fields.ts';
import type { PlannedRow, PlannedSession } from './session.ts';

/** The rows of a planned session, each made when it is asked for: the history of a row is never held beside that of another (decision O10). */
export function* sessionRows(planned: PlannedSession): Generator<WrittenRecord> {
  const write = rowWriter(planned);
  // In the order in which they stood in their file.
  const rows = [...planned.rows].sort((left, right) => (left.place ?? 0) - (right.place ?? 0));
  for (const row of rows) {
    const value = write(row, () => undefined);
    yield defined<WrittenRecord>({ value, place: row.place });
  }
}

/** Makes rows of a session. `fault` is told the pointers, inside the row, of residuals that have no place in it. */
export function rowWriter(
  planned: PlannedSession,
): (row: PlannedRow, fault: (pointer: string) => void) => JsonObject {
  const isNamed = namesAgent(planned);
  return (row, fault) => {
    const { messages, residuals, response, step, turn } = row;
    const value: MutableJsonObject = { session_id: planned.story.session, step_id: step };
    if (messages !== undefined) value.messages = rowMessages(row, planned, fault);
    for (const owner of residuals.keys())
      if (owner.startsWith('/messages/') && Number(owner.slice(10)) >= (messages?.length ?? 0)) fault(owner);
    const unselected = residuals.get('/response') ?? [];
    if (response !== undefined) value.response = response;
    else if (unselected.length > 0)
      value.response = withResiduals({}, unselected, (inside) => fault(`/response${inside}`));
    writeRowFields(value, planned, isNamed, turn, residuals.get('') ?? [], fault);
    return value;
  };
}

function rowMessages(row: PlannedRow, { entries }: PlannedSession, fault: (pointer: string) => void): Json[] {
  return Array.from(row.messages ?? [], (copy, position) => {
    const entry = entries[copy >> 4];
    if (entry === undefined) return null;
    return withResiduals(copyOf(entry, copy & 15), row.residuals.get(`/messages/${position}`), (inside) =>
      fault(`/messages/${position}${inside}`),
    );
  });
}
