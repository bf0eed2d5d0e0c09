import {
  appendPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  type Report,
  type SourceRecord,
} from '@pchronicle/storyline-core';
import type { AnkolePart, Part } from './parts.ts';
import { shapeOf } from './shape.ts';

/** What a reader remembers of a document: how its records lie. */
export interface AnkoleFrame {
  readonly form: 'document' | 'lines';
}

/** Takes a document apart into values of known shapes; a value of any other shape is an error. */
export function decode(record: SourceRecord<AnkoleFrame>, report: Report): AnkolePart | undefined {
  const parts: Part[] = [];
  let failed = false;
  const add = (value: Json, pointer: string): void => {
    const shape = isJsonObject(value) ? shapeOf(value) : undefined;
    if (shape !== undefined && isJsonObject(value)) {
      parts.push({ shape, value, pointer });
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
  let isArray = false;
  let count = 0;
  for (const { value, at } of record.values()) {
    count += 1;
    if (isJsonArray(value)) {
      isArray = true;
      value.forEach((element, index) => {
        add(element, appendPointer(at.pointer, index));
      });
    } else add(value, at.pointer);
  }
  if (failed) return undefined;
  if (parts.length === 0) {
    report(
      'error',
      'ankole/empty',
      record.at.pointer,
      'there are no pages, documents or rows in it; at least one was expected',
    );
    return undefined;
  }
  const isLines = record.frame.form === 'lines' && !isArray;
  const form = isLines ? 'lines' : isArray || count > 1 ? 'array' : 'single';
  return { form, parts, source: record.source };
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
