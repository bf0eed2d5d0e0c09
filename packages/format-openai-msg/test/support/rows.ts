import { differences } from '@pchronicle/conformance';
import {
  exportValue,
  getOwn,
  getPointer,
  type Issue,
  type Json,
  type JsonObject,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { expect } from 'vitest';
import { importOpenaiMessages, normaliseOpenaiMessages, openaiMessages } from '../../src/index.ts';

/** A message. */
export function message(role: string, content: Json, more: JsonObject = {}): JsonObject {
  return { role, content, ...more };
}

/** An assistant message that calls functions: [id, name, arguments text]. */
export function calling(
  content: Json,
  ...calls: readonly (readonly [id: string, name: string, args: Json])[]
): JsonObject {
  return {
    role: 'assistant',
    content,
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}

/** The result of a call. */
export function result(id: string, content: Json, more: JsonObject = {}): JsonObject {
  return { role: 'tool', tool_call_id: id, content, ...more };
}

/** A row of session s1. */
export function row(
  step: number,
  messages: readonly Json[],
  response?: Json,
  more: JsonObject = {},
): JsonObject {
  return {
    session_id: 's1',
    step_id: step,
    messages,
    ...(response === undefined ? {} : { response }),
    ...more,
  };
}

/** What reading rows gives. */
export function read(rows: readonly Json[] | JsonObject): {
  readonly story: Storyline;
  readonly stories: readonly Storyline[];
  readonly issues: readonly Issue[];
  at(pointer: string): Json | undefined;
  /** Residuals of the format's own source. */
  readonly residuals: JsonObject;
  readonly layout: Json | undefined;
} {
  const { storylines, issues } = importOpenaiMessages(rows as Json, { source: 'rows.json' });
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  const story = storylines[0] as Storyline;
  const sources = story.unknown_fields?.sources ?? {};
  return {
    story,
    stories: storylines,
    issues,
    at: (pointer) => getPointer(storylineToJson(story), pointer),
    residuals: sources['openai-msg']?.fields ?? {},
    layout: sources['openai-msg-layout']?.fields['/session_steps'],
  };
}

/** The rows that writing Storylines gives. */
export function write(stories: readonly Storyline[]): {
  readonly rows: readonly JsonObject[];
  readonly value: Json;
  readonly issues: readonly Issue[];
} {
  const { value, issues } = exportValue(openaiMessages, stories);
  const rows = getOwn(value as JsonObject, 'session_steps') as readonly JsonObject[];
  return { rows, value: value ?? null, issues };
}

/** Reads and writes rows, and checks the law (G1). Gives what was written. */
export function roundTrip(rows: readonly Json[] | JsonObject): readonly JsonObject[] {
  const { rows: written, value, issues } = write(read(rows).stories);
  expect(issues).toEqual([]);
  expect(differences(normaliseOpenaiMessages(rows as Json), value)).toEqual([]);
  return written;
}

/** The same, for rows that come back exactly as they are. */
export function comesBack(rows: readonly JsonObject[]): void {
  expect(roundTrip(rows)).toEqual(rows);
}
