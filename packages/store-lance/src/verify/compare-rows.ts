import type { Storyline } from '@pchronicle/storyline-core';
import { integerOf, optionalText, textOf } from '../cells.ts';
import type { Column, Row } from '../columns/column.ts';
import type { StoreContext } from '../context.ts';
import { measureStoryline } from '../ingest/measure-storyline.ts';
import type { TableName } from '../layout.ts';
import { rowsOf, type StoredRows, storylineOf } from '../storyline-rows.ts';

/** What is wrong with the rows of one document: why no Storyline comes of them, or where they differ from the rows it gives. */
export function faultsOf(context: Pick<StoreContext, 'columns'>, parts: StoredRows): string[] {
  const { storyline, faults } = storylineOf(parts);
  return storyline === undefined ? [...faults] : differences(context, parts, storyline);
}

/** Columns of `runs` that say where it came from. */
const NOT_IN_THE_STORYLINE = [
  'source_path',
  'source_document',
  'source_record',
  'source_offset',
  'content_hash',
];

/** What differs between stored rows and the rows of the Storyline that they give. */
export function differences(
  context: Pick<StoreContext, 'columns'>,
  parts: StoredRows,
  storyline: Storyline,
): string[] {
  const found: string[] = [];
  const hash = measureStoryline(storyline).hash;
  if (hash !== textOf(parts.run, 'content_hash')) {
    found.push(
      `its content hash is ${hash}, its row in runs says ${optionalText(parts.run, 'content_hash') ?? 'nothing'}`,
    );
  }
  const identity = new Set([...NOT_IN_THE_STORYLINE]);
  // Layout 1.0 had no text of the Storyline itself: the column came later, and rows from before have none.
  if (optionalText(parts.run, 'search_text') === undefined) identity.add('search_text');
  const made = rowsOf(storyline, {
    documentKey: textOf(parts.run, 'document_key'),
    ingestId: textOf(parts.run, 'ingest_id'),
    revision: integerOf(parts.run, 'revision'),
    ingestedAt: integerOf(parts.run, 'ingested_at'),
    sourceId: textOf(parts.run, 'source_id'),
    storageOrdinal: integerOf(parts.run, 'storage_ordinal'),
    contentHash: hash,
  });
  compareRow(context.columns.runs, made.run, parts.run, 'runs', (message) => found.push(message), identity);
  compareRows(context.columns.steps, made.steps(), sorted(parts.steps), 'steps', (message) =>
    found.push(message),
  );
  compareRows(
    context.columns.tool_calls,
    made.toolCalls(),
    sorted(parts.toolCalls),
    'tool_calls',
    (message) => found.push(message),
  );
  return found;
}

function sorted(rows: readonly Row[]): Row[] {
  const by = (left: Row, right: Row): number =>
    Number(integerOf(left, 'turn_ordinal') - integerOf(right, 'turn_ordinal')) ||
    Number(integerOf(left, 'call_index') - integerOf(right, 'call_index'));
  return [...rows].sort(by);
}

function compareRows(
  columns: readonly Column[],
  made: Iterable<object>,
  stored: readonly Row[],
  table: TableName,
  report: (message: string) => void,
): void {
  let index = 0;
  for (const row of made) {
    const other = stored[index];
    if (other !== undefined) compareRow(columns, row, other, `${table} row ${index}`, report);
    index += 1;
  }
  if (index !== stored.length)
    report(`${stored.length} rows of ${table} are there, the Storyline has ${index}`);
}

function compareRow(
  columns: readonly Column[],
  made: object,
  stored: Row,
  where: string,
  report: (message: string) => void,
  skip?: ReadonlySet<string>,
): void {
  const row = made as Row;
  for (const { name } of columns) {
    if (skip?.has(name) === true) continue;
    const left = row[name] ?? null;
    const right = stored[name] ?? null;
    if (!Object.is(left, right))
      report(`${where}: the column ${name} holds ${brief(right)}, the Storyline gives ${brief(left)}`);
  }
}

function brief(cell: Row[string]): string {
  const text = typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
