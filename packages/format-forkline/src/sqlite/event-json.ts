import {
  IssueError,
  type JsonObject,
  type MutableJsonObject,
  type Place,
  setOwn,
} from '@pchronicle/storyline-core';
import { STEP_KEY } from '../mapping/database-run.ts';
import { parsePythonJson } from '../python/parse.ts';
import type { EventRow } from './read-events.ts';

/** The event as an artifact has it, with the step of a traced one; throws an IssueError where its payload is no JSON. */
export function eventJson(row: EventRow, at: Place): JsonObject {
  const parsed = parsePythonJson(row.payloadText);
  if ('fault' in parsed) {
    const { message: why, position } = parsed.fault;
    const message = `the payload of the event with the id ${String(row.eventId)} is no JSON: ${why}, at character ${position}`;
    const place = { ...at, pointer: `${at.pointer}/events/${row.position}/payload` };
    throw new IssueError([{ code: 'forkline/bad-payload', severity: 'error', message, at: place }]);
  }
  const event: MutableJsonObject = {
    event_id: row.eventId,
    run_id: row.runId,
    ts: row.ts,
    type: row.type,
    payload: parsed.value,
  };
  if (row.stepIdx !== undefined) event[STEP_KEY] = row.stepIdx;
  if (row.others === undefined) return event;
  for (const [column, value] of Object.entries(row.others)) {
    if (!Object.hasOwn(event, column)) setOwn(event, column, value);
  }
  return event;
}
