import { integerFromBigInt, type Json, JsonNumber } from '@pchronicle/storyline-core';
import { floatText } from '../python/number.ts';
import type { Cell, Database, Row } from './engine.ts';

/** The column that counts the bytes of a row's texts, so that a text which the engine cut or respelled is noticed. */
export const OCTETS = 'pchronicle_octets';

/** The expression for {@link OCTETS}; columns are quoted names. `octet_length` does not even read the text, but is not in every SQLite. */
export function octetsOf(columns: readonly string[], hasOctetLength: boolean): string {
  const length = (column: string): string =>
    hasOctetLength ? `octet_length(${column})` : `length(CAST(${column} AS BLOB))`;
  return columns.map((column) => `coalesce(${length(column)}, 0)`).join(' + ');
}

/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Whether the texts of a row are what the database holds. Engines stop at U+0000, drop a byte order mark and replace what is no
 * UTF-8: then the lengths differ, or U+FFFD occurs. Anything but plain ASCII is looked at twice, which is rare: Forkline escapes it.
 */
export function isFaithful(row: Row, columns: readonly string[]): boolean {
  let units = 0;
  for (const column of columns) {
    const cell = row[column];
    if (cell === null) continue;
    if (typeof cell !== 'string') return false;
    if (cell.includes('\ufffd')) return false;
    units += cell.length;
  }
  return units === row[OCTETS];
}

/** A cell's exact value, or what is wrong with it. */
export type ExactCell = { readonly value: Json } | { readonly fault: string };

/** Reads the cells of one row byte by byte. `encoding` is the database's. */
export function exactCells(
  database: Database,
  table: string,
  columns: readonly string[],
  rowid: Cell,
  encoding: string,
): readonly ExactCell[] {
  const parts = columns.flatMap((column, index) => {
    const name = quoteName(column);
    return [
      `typeof(${name}) AS t${index}`,
      `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS v${index}`,
    ];
  });
  const sql = `SELECT ${parts.join(', ')} FROM ${quoteName(table)} WHERE rowid = ?`;
  const [row] = [...database.iterate(sql, [rowid])];
  return columns.map((_, index) => exactCell(row?.[`t${index}`], row?.[`v${index}`] ?? null, encoding));
}

function exactCell(type: Cell | undefined, cell: Cell, encoding: string): ExactCell {
  if (type === 'text') {
    // An empty BLOB may arrive as null.
    const bytes = cell instanceof Uint8Array ? cell : new Uint8Array(0);
    try {
      return { value: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
      return { fault: 'its text is not valid in the encoding of the database' };
    }
  }
  if (type === 'blob') return { fault: 'it holds bytes, where a text or a number was expected' };
  return { value: plainCell(type === 'real' && typeof cell === 'number' ? floatOf(cell) : cell) };
}

/** A cell that is no text as JSON; integers stay exact. */
export function plainCell(cell: Cell | JsonNumber): Json {
  if (typeof cell === 'bigint') return integerFromBigInt(cell);
  return cell instanceof Uint8Array ? null : cell;
}

/** A REAL stays a float, also when it is whole. */
function floatOf(value: number): JsonNumber | number {
  return Number.isInteger(value) || !Number.isFinite(value) ? new JsonNumber(floatText(value)) : value;
}
