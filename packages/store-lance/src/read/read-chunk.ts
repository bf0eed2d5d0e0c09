import { charactersOf, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import type { StoreContext } from '../context.ts';
import { take } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { DERIVED_COLUMNS } from '../storyline-rows.ts';
import type { Places } from './find-places.ts';
import type { StoredIngest } from './live-entries.ts';
import type { RowRanges } from './row-ranges.ts';

/** Rows of the first take of a chunk, before their size is known, and characters that the next ones aim at. */
const FIRST_TAKE = 64;
const TAKE_CHARACTERS = 1024 * 1024;

/** The rows of some Storylines, by ingest id. */
export interface ChunkParts {
  readonly runs: Map<string, Row>;
  readonly steps: Map<string, Row[]>;
  readonly calls: Map<string, Row[]>;
  readonly characters: number;
}

/** Reads them. */
export async function readChunk(
  context: StoreContext,
  snapshot: Snapshot,
  chunk: readonly StoredIngest[],
  /** Of its first one, in `places`. */
  number: number,
  places: Places,
  allColumns: boolean,
): Promise<ChunkParts> {
  const names = (table: TableName): string[] =>
    context.columns[table]
      .map((column) => column.name)
      .filter((name) => allColumns || !DERIVED_COLUMNS.has(name));
  const runs = new Map<string, Row>();
  let characters = 0;
  const readRuns = async (): Promise<void> => {
    const runIds = chunk.map((entry) => entry.rowId);
    for await (const page of take(snapshot.tables.runs, runIds, { columns: names('runs') })) {
      for (const row of page) {
        runs.set(textOf(row, 'ingest_id'), row);
        characters += charactersOf(row);
      }
    }
  };
  const group = async (name: 'steps' | 'tool_calls', ranges: RowRanges): Promise<Map<string, Row[]>> => {
    const columns = names(name);
    const groups = new Map<string, Row[]>();
    const ids = chunk.flatMap((_, index) => ranges.addresses(number + index));
    // Small takes: Lance and the copy into JavaScript hold all of one at once, however big its values are.
    let size = FIRST_TAKE;
    for (let start = 0; start < ids.length; ) {
      const slice = ids.slice(start, start + size);
      start += slice.length;
      let taken = 0;
      for await (const page of take(snapshot.tables[name], slice, { columns })) {
        for (const row of page) {
          const ingest = textOf(row, 'ingest_id');
          taken += charactersOf(row);
          const rows = groups.get(ingest);
          if (rows === undefined) groups.set(ingest, [row]);
          else rows.push(row);
        }
      }
      characters += taken;
      size = Math.min(4096, Math.max(8, Math.round((slice.length * TAKE_CHARACTERS) / Math.max(1, taken))));
    }
    return groups;
  };
  const [, steps, calls] = await Promise.all([
    readRuns(),
    group('steps', places.steps),
    chunk.some((entry) => entry.calls > 0) ? group('tool_calls', places.calls) : new Map<string, Row[]>(),
  ]);
  return { runs, steps, calls, characters };
}
