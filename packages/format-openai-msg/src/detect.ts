import {
  type Detection,
  defined,
  getOwn,
  type Head,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@pchronicle/storyline-core';
import { ROWS_MEMBER, SOURCE } from './keys.ts';

const PAYLOADS = ['messages', 'messages_json', 'response', 'response_json'];

/** Recognises OpenAI Messages rows by their keys; the file name alone is a hint (decisions: detection). */
export function detectOpenaiMessages(head: Head): Detection {
  const { sketch } = head;
  const [first] = isJsonArray(sketch) ? sketch : [sketch];
  if (isJsonObject(first) && isOtherFormat(first))
    return { confidence: 'no', why: 'the root keys are those of another format' };
  const { shape } = head;
  if (
    isJsonObject(sketch) &&
    Object.hasOwn(sketch, ROWS_MEMBER) &&
    (shape === 'document' || !isRow(sketch))
  ) {
    if (shape === 'lines' || shape === 'array') {
      const hint = `each ${shape === 'lines' ? 'line' : 'element'} is a document with ${ROWS_MEMBER}, where OpenAI Messages have a row: give each document a file, or put the rows of all into one list`;
      return {
        confidence: 'no',
        why: `the first value holds a ${ROWS_MEMBER}, and is not the only one`,
        hint,
      };
    }
    const rows = getOwn(sketch, ROWS_MEMBER);
    const row = isJsonArray(rows) ? rows[0] : undefined;
    if (isRow(row)) return { confidence: 'yes', why: `the root object holds rows in ${ROWS_MEMBER}` };
    return { confidence: isJsonArray(rows) ? 'yes' : 'maybe', why: `the root object has a ${ROWS_MEMBER}` };
  }
  if (isRow(first))
    return {
      confidence: 'yes',
      why: 'the first value is a row: it has session_id, step_id and messages or a response',
    };
  if (
    head.name !== undefined &&
    /(^|[/\\])session_steps\.jsonl?$/i.test(head.name) &&
    shape !== 'binary' &&
    shape !== 'empty'
  )
    return { confidence: 'maybe', why: 'the file is named session_steps' };
  return defined<Detection>({
    confidence: 'no',
    why: 'there are no rows with session_id and step_id',
    hint: isJsonObject(first) ? whatIsMissing(first, head) : undefined,
  });
}

/** Whether the root keys say that this is a Storyline, ACTF or ATIF document, whatever else it holds. */
function isOtherFormat(root: JsonObject): boolean {
  const version = getOwn(root, 'schema_version');
  if (typeof version === 'string' && /^(storyline\/|ATIF)/.test(version)) return true;
  return Object.hasOwn(root, 'task_id') && isJsonObject(getOwn(root, 'attempts'));
}

/** What keeps a value with messages or a response from being a row: fine-tuning examples have the messages alone. */
function whatIsMissing(value: JsonObject, { shape, count }: Head): string | undefined {
  const payload = PAYLOADS.find((key) => Object.hasOwn(value, key));
  const missing = ['session_id', 'step_id'].filter((key) => !Object.hasOwn(value, key));
  if (payload === undefined || missing.length === 0) return undefined;
  const what = payload === 'messages' && missing.length === 2 ? 'a plain fine-tuning example' : 'no row';
  const others =
    missing.length === 2 || shape === 'document' || count === 1
      ? ''
      : `; it is the first of several: if the others are in order, name the format (--format ${SOURCE})`;
  return `it has ${payload} but no ${missing.join(' and no ')}, so it is ${what}: each OpenAI Messages row names its session (session_id, a text) and its step in it (step_id, from 1 on)${others}`;
}

function isRow(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.hasOwn(value, 'session_id') &&
    Object.hasOwn(value, 'step_id') &&
    PAYLOADS.some((key) => Object.hasOwn(value, key))
  );
}
