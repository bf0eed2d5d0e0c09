import {
  defined,
  describeJson,
  failures,
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  parseTime,
  type Report,
  type TimeValue,
  toBigInt,
} from '@pchronicle/storyline-core';
import { isEmptyForm, textOf } from '../values.ts';

/** A row whose own fields are in order. */
export interface CheckedRow {
  readonly row: JsonObject;
  readonly step: JsonInteger;
  readonly ts?: TimeValue;
}

/** Checks session, step, time and messages of a row (RFC-0009, accepted shapes); reports every fault. */
export function checkRow(
  row: Json,
  session: string | undefined,
  pointer: string,
  report: Report,
): CheckedRow | undefined {
  const { fail, failed } = failures(report);
  if (!isJsonObject(row)) {
    fail('openai-msg/row-not-object', pointer, `the row is ${describeJson(row)}; an object is expected`);
    return undefined;
  }
  const own = getOwn(row, 'session_id');
  if (textOf(own) === undefined || (session !== undefined && own !== session)) {
    const message = `session_id is ${describeJson(own)}; ${textOf(session) ?? 'a non-empty text'} is expected`;
    fail('openai-msg/session-id', `${pointer}/session_id`, message);
  }
  const step = getOwn(row, 'step_id');
  if (!isInteger(step) || toBigInt(step) < 1n)
    fail(
      'openai-msg/step-id',
      `${pointer}/step_id`,
      `step_id is ${describeJson(step)}; an integer from 1 on is expected`,
    );
  const ts = getOwn(row, 'created_at') ?? undefined;
  const time = ts === undefined ? {} : parseTime(ts);
  if ('fault' in time)
    fail('openai-msg/bad-time', `${pointer}/created_at`, `created_at cannot be read: ${time.fault}`);
  const messages = getOwn(row, 'messages');
  if (!isJsonArray(messages) && !isEmptyForm(messages)) {
    const message = `messages is ${describeJson(messages)}; a list is expected`;
    fail('openai-msg/messages-not-list', `${pointer}/messages`, message);
  }
  return failed() ? undefined : defined<CheckedRow>({ row, step: step as JsonInteger, ts: ts as TimeValue });
}
