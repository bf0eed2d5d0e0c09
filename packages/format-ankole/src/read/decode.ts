import {
  isJsonArray,
  isJsonObject,
  type Json,
  type Report,
  type SourceRecord,
} from '@pchronicle/storyline-core';
import { readColumns } from './columns.ts';
import type { AnkoleFrame } from './frame.ts';
import type { AnkolePart, Part } from './parts.ts';
import { shapeOf } from './shape.ts';

/** Takes a document apart into values of known shapes; a value of any other shape is an error. */
export function decode(record: SourceRecord<AnkoleFrame>, report: Report): AnkolePart | undefined {
  const parts: Part[] = [];
  let failed = false;
  const add = (value: Json, pointer: string): void => {
    const columns = isJsonObject(value) ? readColumns(value) : undefined;
    const shape = columns === undefined ? undefined : shapeOf(columns.value);
    if (columns !== undefined && shape !== undefined) {
      parts.push({ shape, value: columns.value, pointer, given: value, styles: columns.styles });
      return;
    }
    failed = true;
    report(
      'error',
      'ankole/unknown-shape',
      pointer,
      `found ${isJsonObject(value) ? `an object with ${keysOf(value)}` : describe(value)}; expected a page of messages, a conversation, a Response, a job, an ankole_chatml document, or rows of messages or turn items`,
    );
  };
  let count = 0;
  for (const { value, at } of record.values()) {
    count += 1;
    add(value, at.pointer);
  }
  if (failed || count === 0) return undefined;
  const { form } = record.frame;
  // Values that are all of an array come back as that array, even one; others make documents of their own.
  const isPicked = form === 'array' && count === 1 && record.frame.count > 1;
  const isSingle = form === 'document' || isPicked || (form === 'lines' && count === 1);
  return {
    form: isSingle ? 'single' : form,
    isPicked: isPicked || form === 'lines',
    parts,
    isTold: record.frame.isTold === true,
    source: record.source,
  };
}

function keysOf(value: Json): string {
  const keys = Object.keys(value as object).slice(0, 5);
  return keys.length === 0
    ? 'no keys'
    : `the keys ${keys.map((key) => JSON.stringify(key.slice(0, 40))).join(', ')}`;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  return isJsonArray(value) ? 'an array' : `a ${typeof value === 'object' ? 'number' : typeof value}`;
}
