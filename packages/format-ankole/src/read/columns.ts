import {
  compareText,
  encodeText,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseJson,
  setOwn,
  stringify,
} from '@pchronicle/storyline-core';
import { sortKeys } from '../items/sorted-json.ts';
import { assignOwn } from '../members.ts';

/** Columns that hold JSON, which some dumps write as texts. */
const COLUMNS = ['content', 'metadata', 'item'] as const;

/** How the text of a column is spelled: as PostgreSQL prints `jsonb` (keys by length, spaces), the same without spaces, or in any order without spaces. */
export type ColumnStyle = 'jsonb' | 'sorted' | 'compact';

/** All styles, the surest first. */
export const COLUMN_STYLES: readonly ColumnStyle[] = ['jsonb', 'sorted', 'compact'];

/** A row with the JSON of its columns read. */
export interface ReadColumns {
  readonly value: JsonObject;
  /** By column that is a text: the styles that spell it so. */
  readonly styles: ReadonlyMap<string, readonly ColumnStyle[]>;
}

/** Reads columns of a database row that are texts of JSON; any other value stays. */
export function readColumns(row: JsonObject): ReadColumns {
  const styles = new Map<string, readonly ColumnStyle[]>();
  const isRow = Object.hasOwn(row, 'conversation_id') || Object.hasOwn(row, 'turn_id');
  if (!isRow) return { value: row, styles };
  let read: MutableJsonObject | undefined;
  for (const column of COLUMNS) {
    const text = getOwn(row, column);
    if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) continue;
    const { value } = parseJson(text);
    if (!isJsonObject(value) && !isJsonArray(value)) continue;
    read ??= assignOwn({}, row);
    setOwn(read, column, value);
    styles.set(
      column,
      COLUMN_STYLES.filter((style) => columnText(value, style) === text),
    );
  }
  return { value: read ?? row, styles };
}

/** The text of a column. */
export function columnText(value: Json, style: Json | undefined): string {
  if (style === 'compact') return stringify(value);
  const text = stringify(sortKeys(value, compareKeys));
  return style === 'jsonb' ? spaced(text) : text;
}

/** `jsonb` has the keys of an object by their length in bytes, then by their bytes. */
function compareKeys(left: string, right: string): number {
  return encodeText(left).length - encodeText(right).length || compareText(left, right);
}

/** PostgreSQL prints a space behind each comma and colon outside of texts. */
function spaced(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) =>
    token === ',' || token === ':' ? `${token} ` : token,
  );
}
