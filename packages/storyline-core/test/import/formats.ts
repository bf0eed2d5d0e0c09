import type {
  Container,
  Format,
  Json,
  JsonObject,
  RecordValue,
  Report,
  Storyline,
} from '@pchronicle/storyline-core';
import { getOwn, isJsonObject, STORYLINE_VERSION } from '@pchronicle/storyline-core';

/** What the test reader keeps of a record. */
export interface Part {
  readonly key: string | undefined;
  readonly rows: readonly RecordValue[];
}

/**
 * A format for tests: each record becomes one Storyline whose only turn holds the record's values as they were read. A value with
 * the member `fail` is rejected by decode, one with `throw` makes the reader throw, one with `many` reports that many warnings.
 */
export function testFormat(
  containers: Format['containers'],
  more: Partial<Format<JsonObject, Part>> = {},
): Format {
  const format: Format<JsonObject, Part> = {
    id: 'toy',
    title: 'Toy',
    extensions: ['.toy.json'],
    containers,
    fidelity: { roundTrip: 'none', expresses: [] },
    detect: () => ({ confidence: 'maybe', why: 'a test' }),
    reader: {
      frame(document, report) {
        if (Object.hasOwn(document.root, 'failFrame')) {
          report('error', 'toy/frame', '/failFrame', 'the root asks to fail');
          return undefined;
        }
        return { ...document.root, keys: document.keys as Json };
      },
      decode(record, report) {
        const rows = [...record.values()];
        for (const row of rows) check(row, report);
        return rows.some(({ value }) => has(value, 'fail')) ? undefined : { key: record.key, rows };
      },
      *toStorylines(part) {
        yield storyline(part);
      },
    },
    ...more,
  };
  return format as unknown as Format;
}

function has(value: Json, key: string): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, key);
}

function check({ value, at }: RecordValue, report: Report): void {
  if (has(value, 'fail')) report('error', 'toy/fail', `${at.pointer}/fail`, 'this record asks to fail');
  if (has(value, 'throw')) throw new Error('this reader is broken');
  if (has(value, 'many')) {
    for (let index = 0; index < Number(getOwn(value, 'many')); index += 1)
      report('warning', 'toy/many', `${at.pointer}/many`, `number ${index}`);
  }
}

function storyline({ key, rows }: Part): Storyline {
  return {
    schema_version: STORYLINE_VERSION,
    session: key === undefined || key === '' ? 'none' : key,
    agent: { id: 'toy' },
    turns: [{ id: 1, src: 'agent', msg: rows.map(({ value }) => value) }],
  };
}

/** What a Storyline of {@link testFormat} holds. */
export function valuesOf(story: Storyline): Json {
  return story.turns[0]?.msg ?? null;
}

export const DOCUMENTS: readonly [Container, ...Container[]] = [
  { kind: 'document', outer: 'document' },
  { kind: 'document', outer: 'array' },
  { kind: 'document', outer: 'lines' },
];
export const ENTRIES: readonly [Container, ...Container[]] = [
  { kind: 'entries', outer: 'document', member: 'attempts' },
  { kind: 'entries', outer: 'array', member: 'attempts' },
  { kind: 'entries', outer: 'lines', member: 'attempts' },
];
export const ROWS: readonly [Container, ...Container[]] = [
  { kind: 'rows', in: 'member', member: 'rows', group: 'session', order: ['step'] },
  { kind: 'rows', in: 'array', member: 'rows', group: 'session', order: ['step'] },
  { kind: 'rows', in: 'lines', member: 'rows', group: 'session', order: ['step'] },
];
