import type { DrivenFormat, RecordValue, WrittenRecord } from '../format.ts';
import { collectIssues } from '../issue.ts';
import { compareText } from '../json/compare-text.ts';
import { compareNumbers } from '../json/number.ts';
import { parseJson } from '../json/parse.ts';
import { getOwn, isJsonObject, isNumeric, type Json, type JsonObject } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import type { WrittenContainer } from './choose-container.ts';
import { type Encode, jsonPieces } from './text.ts';

/** Limits are the importer's business. */
const NO_LIMITS = { depth: Infinity, stringBytes: Infinity, recordBytes: Infinity };

/** The records of one Storyline as an importer would see them in the finished document. */
export interface Written {
  /** Root members besides the records and the envelope. */
  readonly root: JsonObject;
  /** Keys of all records of the document. */
  readonly keys: readonly string[];
  /** Number of all records, for rows. */
  readonly count?: number;
  readonly key: string | undefined;
  readonly values: readonly RecordValue[];
}

/** The value as it comes back from its text, by the format's own rules for numbers; `undefined` when the format does not read it. */
export function throughText(
  format: DrivenFormat,
  value: Json,
  encode: Encode = plainEncode(format),
): Json | undefined {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const piece of encode(value)) {
    const chunk = encoder.encode(piece);
    chunks.push(chunk);
    length += chunk.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return parseJson(bytes, {
    keepFloats: format.keepFloats ?? false,
    nonFinite: format.nonFinite ?? 'error',
    limits: NO_LIMITS,
  }).value;
}

function plainEncode(format: DrivenFormat): Encode {
  return (value) => jsonPieces(value, 0, format.nonFinite === 'keep' ? undefined : () => undefined);
}

/** The values of one Storyline's records, in the order in which an importer hands them over; `undefined` when one is not readable. */
export function rereadValues(
  format: DrivenFormat,
  container: WrittenContainer,
  records: readonly WrittenRecord[],
  places: readonly number[],
  pointerOf: (record: WrittenRecord, index: number) => string,
  encode: Encode | undefined,
): readonly RecordValue[] | undefined {
  const values: RecordValue[] = [];
  for (const [offset, record] of records.entries()) {
    const value = throughText(format, record.value, encode);
    if (value === undefined) return undefined;
    const index = places[offset] ?? 0;
    values.push({ value, index, at: { pointer: pointerOf(record, index) } });
  }
  if (container.kind !== 'rows') return values;
  return values.sort(
    (left, right) => compareRows(left.value, right.value, container.order) || left.index - right.index,
  );
}

function compareRows(left: Json, right: Json, order: readonly string[]): number {
  if (!isJsonObject(left) || !isJsonObject(right)) return 0;
  for (const key of order) {
    const a = getOwn(left, key);
    const b = getOwn(right, key);
    const sign =
      isNumeric(a) && isNumeric(b)
        ? compareNumbers(a, b)
        : typeof a === 'string' && typeof b === 'string'
          ? compareText(a, b)
          : 0;
    if (sign !== 0) return sign;
  }
  return 0;
}

/** Reads one Storyline back with the format's own reader; a text says why it does not come back as exactly one. */
export function reread(format: DrivenFormat, written: Written): Storyline | string {
  const reader = format.reader;
  if (reader === undefined) return 'it has no reader';
  const { report, issues, failed } = collectIssues();
  const found: Storyline[] = [];
  try {
    const at = { pointer: '' };
    const { root, keys, count, key, values } = written;
    const frame = reader.frame(
      { root, keys, source: '', at, ...(count === undefined ? {} : { count }) },
      report,
    );
    const record = {
      frame,
      source: '',
      at: values[0]?.at ?? at,
      values: () => values,
      ...(key === undefined ? {} : { key }),
    };
    const part = frame === undefined ? undefined : reader.decode(record, report);
    if (part !== undefined) found.push(...reader.toStorylines(part, report));
  } catch (error) {
    return `its reader failed (${String(error)})`;
  }
  const fault = failed() ? issues.find((issue) => issue.severity === 'error') : undefined;
  if (fault !== undefined) return `${fault.message} (${fault.code} at ${fault.at.pointer || 'the root'})`;
  const [storyline, ...others] = found;
  if (storyline !== undefined && others.length === 0) return storyline;
  return `it gives ${found.length} Storylines instead of one`;
}
