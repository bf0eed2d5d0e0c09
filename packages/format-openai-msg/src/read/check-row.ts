import {
  getOwn,
  isInteger,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  parseTime,
  type Report,
  type TimeValue,
  toBigInt,
} from '@pchronicle/storyline-core';

/** A row whose own fields are in order. */
export interface CheckedRow {
  readonly row: JsonObject;
  readonly step: JsonInteger;
  readonly ts?: TimeValue;
}

/** Checks session, step and time of a row (RFC-0009, accepted shapes); reports every fault. */
export function checkRow(
  value: Json,
  session: string | undefined,
  pointer: string,
  report: Report,
): CheckedRow | undefined {
  if (!isJsonObject(value)) {
    report(
      'error',
      'openai-msg/row-not-object',
      pointer,
      `the row ${pointer} is ${kindOf(value)}; an object is expected`,
    );
    return undefined;
  }
  let failed = false;
  const own = getOwn(value, 'session_id');
  if (typeof own !== 'string' || own === '') {
    failed = true;
    report(
      'error',
      'openai-msg/session-id',
      `${pointer}/session_id`,
      `session_id is ${kindOf(own)}; a non-empty text is expected`,
    );
  } else if (session !== undefined && own !== session) {
    failed = true;
    report(
      'error',
      'openai-msg/session-id',
      `${pointer}/session_id`,
      `session_id is ${JSON.stringify(own)} among rows of ${JSON.stringify(session)}`,
    );
  }
  const step = getOwn(value, 'step_id');
  if (!isInteger(step) || toBigInt(step) < 1n) {
    failed = true;
    report(
      'error',
      'openai-msg/step-id',
      `${pointer}/step_id`,
      `step_id is ${isInteger(step) ? String(step) : kindOf(step)}; an integer from 1 on is expected`,
    );
  }
  const time = getOwn(value, 'created_at') ?? null;
  const parsed = time === null ? undefined : parseTime(time);
  if (parsed !== undefined && 'fault' in parsed) {
    failed = true;
    report(
      'error',
      'openai-msg/bad-time',
      `${pointer}/created_at`,
      `created_at cannot be read: ${parsed.fault}`,
    );
  }
  if (failed) return undefined;
  return { row: value, step: step as JsonInteger, ...(time === null ? {} : { ts: time as TimeValue }) };
}

/** What kind of value was found, for a message. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'boolean') return String(value);
  return isJsonObject(value) ? 'an object' : `the number ${value}`;
}
