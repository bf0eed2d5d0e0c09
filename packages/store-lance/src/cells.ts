import type { Row } from './columns/column.ts';

/** The text of a cell; `""` when it is null. For columns that are never null. */
export function textOf(row: Row, name: string): string {
  const cell = row[name];
  return typeof cell === 'string' ? cell : '';
}

/** The text of a cell, or `undefined` when it is null. */
export function optionalText(row: Row, name: string): string | undefined {
  const cell = row[name];
  return typeof cell === 'string' ? cell : undefined;
}

/** The integer of a cell; 0 when it is null. */
export function integerOf(row: Row, name: string): bigint {
  const cell = row[name];
  return typeof cell === 'bigint' ? cell : typeof cell === 'number' ? BigInt(Math.trunc(cell)) : 0n;
}

/** The integer of a small count, as a number; `undefined` when it is null. */
export function optionalCount(row: Row, name: string): number | undefined {
  const cell = row[name];
  return typeof cell === 'bigint' || typeof cell === 'number' ? Number(cell) : undefined;
}

/** The boolean of a cell, or `undefined` when it is null. */
export function optionalFlag(row: Row, name: string): boolean | undefined {
  const cell = row[name];
  return typeof cell === 'boolean' ? cell : undefined;
}

/** Characters of a row's text. */
export function charactersOf(row: Row): number {
  let characters = 0;
  for (const name in row) {
    const cell = row[name];
    if (typeof cell === 'string') characters += cell.length;
  }
  return characters;
}
