import { buildTable } from '../columns/build-table.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';

/** Appends rows to one table, in one call and one version, and makes sure that they arrived; gives the version. */
export type AppendRows = (name: TableName, rows: readonly Row[]) => Promise<number>;

/** Makes the appender of an import; it keeps a handle of its own for counting. */
export function appender(context: StoreContext): AppendRows {
  const counted = new Map<TableName, { readonly version: number; readonly rows: number }>();
  const checkers = new Map<TableName, StoreContext['tables'][TableName]>();
  const countAt = async (name: TableName, version: number): Promise<number> => {
    const last = counted.get(name);
    if (last?.version === version) return last.rows;
    let checker = checkers.get(name);
    if (checker === undefined) {
      checker = await context.connection.openTable(name);
      checkers.set(name, checker);
    }
    await checker.checkout(version);
    const rows = await checker.countRows();
    counted.set(name, { version, rows });
    return rows;
  };
  return (name, rows) =>
    guarded(context, `write to the table ${name} of ${context.location.shown}`, async () => {
      const columns = context.columns[name];
      const { version } = await context.tables[name].add(buildTable(context.lance, columns, rows));
      // An Arrow table of a foreign instance is "added" as nothing, without an error: only counting tells.
      const before = await countAt(name, version - 1);
      const after = await countAt(name, version);
      if (after - before !== rows.length) {
        throw new StoreError(
          'store/lost-write',
          `${rows.length} rows were written to the table ${name} of ${context.location.shown}, but ${after - before} arrived`,
        );
      }
      return version;
    });
}
