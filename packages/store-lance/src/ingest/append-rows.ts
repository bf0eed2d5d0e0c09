import type * as Arrow from 'apache-arrow';
import { buildTable, type TableBuilder } from '../columns/build-table.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';

/** Lance reports the end of a write from a thread of its own; it may come a moment after the write's promise. */
const REPORT_MILLISECONDS = 10_000;

/**
 * Appends rows to one table, in one call and one commit, and makes sure that they arrived. Takes the rows: the list is empty afterwards,
 * so that their text is not held while Lance writes it. Gives a version of the table that holds them
 * (a later one than their own when another process commits at the same moment).
 */
export async function appendRows(context: StoreContext, name: TableName, rows: Row[]): Promise<number> {
  const count = rows.length;
  return await append(context, name, count, () => {
    const table = buildTable(context.lance, context.columns[name], rows);
    rows.length = 0;
    return table;
  });
}

/** Appends the rows that a builder holds, in the same way, and clears it. */
export async function appendBuilt(
  context: StoreContext,
  name: TableName,
  builder: TableBuilder,
): Promise<number> {
  const version = await append(context, name, builder.rows(), () => builder.build());
  builder.clear();
  return version;
}

async function append(
  context: StoreContext,
  name: TableName,
  count: number,
  build: () => Arrow.Table,
): Promise<number> {
  return await guarded(context, `write to the table ${name} of ${context.location.shown}`, async () => {
    let settle: (written: number | undefined) => void = () => undefined;
    const reported = new Promise<number | undefined>((resolve) => {
      settle = resolve;
    });
    const { version } = await context.tables[name].add(build(), {
      progress: ({ done, outputRows }) => {
        if (done) settle(outputRows);
      },
    });
    const timer = setTimeout(settle, REPORT_MILLISECONDS, undefined);
    const written = await reported;
    clearTimeout(timer);
    // An Arrow table of a foreign instance is "added" as nothing, without an error: only counting tells.
    if (written !== count) {
      throw new StoreError(
        'store/lost-write',
        `${count} rows were handed to the table ${name} of ${context.location.shown}, ${written ?? 'an unknown number of'} were written`,
      );
    }
    return version;
  });
}
