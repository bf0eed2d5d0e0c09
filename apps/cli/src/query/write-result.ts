import type { SqlCell, SqlResult } from '@pchronicle/store-lance/sql';
import type { Context } from '../context.ts';
import type { Target } from '../io/target.ts';
import { cellText, distinctNames, rowJson } from './cell.ts';
import { resultTable } from './result-table.ts';

/** Writes a result as it comes, and gives the number of rows. `onTerminal`: a person sees it there. */
export type WriteResult = (
  result: SqlResult,
  target: Target,
  context: Context,
  onTerminal: boolean,
) => Promise<number>;

/** `{"columns":[{"name","type"}],"rows":[{…}],"truncated"}`. */
export const writeJsonResult: WriteResult = async (result, target) => {
  const names = distinctNames(result.columns.map(({ name }) => name));
  const columns = result.columns.map(({ type }, index) => ({ name: names[index], type }));
  await target.write(`{"columns":${JSON.stringify(columns)},"rows":[`);
  let rows = 0;
  for await (const batch of result.batches) {
    for (const row of batch) await target.write(`${rows++ === 0 ? '' : ','}${rowJson(names, row)}`);
  }
  await target.write(`],"truncated":${result.truncated()}}\n`);
  return rows;
};

/** One object a row. */
export const writeJsonLines: WriteResult = async (result, target) => {
  const names = distinctNames(result.columns.map(({ name }) => name));
  let rows = 0;
  for await (const batch of result.batches) {
    for (const row of batch) await target.write(`${rowJson(names, row)}\n`);
    rows += batch.length;
  }
  return rows;
};

/** CSV of RFC 4180 with a header; null is an empty field, an empty text is `""`. */
export const writeCsv: WriteResult = async (result, target) => {
  const { stringify } = await import('csv-stringify/sync');
  const write = (lines: readonly (readonly (string | null)[])[]): Promise<void> =>
    target.write(stringify(lines as (string | null)[][], { quoted_match: /^$/, record_delimiter: '\n' }));
  await write([distinctNames(result.columns.map(({ name }) => name))]);
  let rows = 0;
  for await (const batch of result.batches) {
    await write(batch.map((row: readonly SqlCell[]) => row.map(cellText)));
    rows += batch.length;
  }
  return rows;
};

/** A table for reading. */
export const writeTable: WriteResult = async (result, target, context, onTerminal) => {
  const rows: (readonly SqlCell[])[] = [];
  for await (const batch of result.batches) rows.push(...batch);
  const width = onTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
  await target.write(`${resultTable(result.columns, rows, width, context.style)}\n`);
  return rows.length;
};
