import { headOf, type StorylineHead } from '@pchronicle/storyline-core';
import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { take } from '../lance/scan.ts';
import type { Snapshot } from '../snapshot.ts';
import type { LiveEntry } from './live-entries.ts';
import { assemble } from './read-stories.ts';

const CHUNK = 256;

/** Reads Storylines without their turns, in the order of the entries. */
export async function* readHeads(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): AsyncGenerator<StorylineHead> {
  const columns = context.columns.runs.map((column) => column.name);
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK);
    const ids = chunk.map((entry) => entry.rowId);
    const rows = new Map<string, Row>();
    await guarded(context, `read the store ${context.location.shown}`, async () => {
      for await (const page of take(snapshot.tables.runs, ids, { columns, batchRows: CHUNK })) {
        for (const row of page) rows.set(textOf(row, 'ingest_id'), row);
      }
    });
    for (const entry of chunk) {
      const row = rows.get(entry.ingestId);
      // A head is a Storyline read without its steps, so the counts of steps must say so.
      const run = row === undefined ? undefined : { ...row, step_count: 0n, tool_call_count: 0n };
      yield headOf(assemble(context, entry, { run, steps: [], toolCalls: [] }));
    }
  }
}
