import type * as LanceDb from '@lancedb/lancedb';
import type { Column } from '../columns/column.ts';
import { arrowSchema } from '../columns/schema.ts';
import type { Tables } from '../context.ts';
import { explainCreation, explainFailure } from '../lance/explain-failure.ts';
import type { Lance } from '../lance/load-lance.ts';
import { LAYOUT_KEY, LAYOUT_VERSION, TABLE_NAMES, type TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';
import { tableColumns } from '../table-columns.ts';
import type { StoreLocation } from '../uri.ts';
import { checkTable } from './check-table.ts';

/** The tables of a store as they were found or made. */
export interface OpenedTables {
  readonly tables: Tables;
  readonly columns: { readonly [name in TableName]: readonly Column[] };
  readonly layout: string;
}

/**
 * Opens the three tables; with `create` makes them where there is no store yet, `runs` last: a store is there once its `runs` table is,
 * and another one that is missing then is damage, which an empty one would only hide.
 */
export async function openTables(
  lance: Lance,
  connection: LanceDb.Connection,
  location: StoreLocation,
  options: { readonly create: boolean; readonly secrets: readonly string[] },
): Promise<OpenedTables> {
  const tables: Partial<Record<TableName, LanceDb.Table>> = {};
  const columns: Partial<Record<TableName, readonly Column[]>> = {};
  let layout = LAYOUT_VERSION;
  const isNew = options.create && (await isThere(connection, 'runs')) === false;
  if (isNew) await assertNothingLost(connection, location);
  // `runs` first when reading: without it there is no store, whatever else lies there.
  const order = isNew ? TABLE_NAMES : [...TABLE_NAMES].reverse();
  for (const name of order) {
    const table = await openTable(lance, connection, location, name, { ...options, create: isNew });
    const opened = await checkTable(lance, table, name, location, options);
    tables[name] = table;
    columns[name] = opened.columns;
    layout = opened.layout;
  }
  return { tables: tables as Tables, columns: columns as OpenedTables['columns'], layout };
}

// Any other failure is left to the one that opens the table next, which explains it.
async function isThere(connection: LanceDb.Connection, name: TableName): Promise<boolean> {
  try {
    (await connection.openTable(name)).close();
    return true;
  } catch (cause) {
    return !isTableMissing(cause);
  }
}

/**
 * Throws `store/damaged` when `runs` is missing beside steps or calls: a store that has lost its table of runs must not be taken for a new
 * one, or for none. (One that is being made has no rows before it has all its tables.)
 */
async function assertNothingLost(connection: LanceDb.Connection, location: StoreLocation): Promise<void> {
  for (const name of ['steps', 'tool_calls'] as const) {
    let rows: number;
    try {
      const table = await connection.openTable(name);
      rows = await table.countRows();
      table.close();
    } catch (cause) {
      if (isTableMissing(cause)) continue;
      throw explainFailure(cause, `open the table ${name} of ${location.shown}`);
    }
    // Another process may have made the store, and written to it, since `runs` was looked for.
    if (rows > 0 && !(await isThere(connection, 'runs'))) {
      throw new StoreError(
        'store/damaged',
        `the table runs of the store ${location.shown} is missing, while its table ${name} holds ${rows} rows; put it back from a copy, or choose another place for a new store`,
      );
    }
  }
}

function isTableMissing(cause: unknown): boolean {
  return cause instanceof Error && /was not found/.test(cause.message);
}

async function openTable(
  lance: Lance,
  connection: LanceDb.Connection,
  location: StoreLocation,
  name: TableName,
  { create, secrets }: { readonly create: boolean; readonly secrets: readonly string[] },
): Promise<LanceDb.Table> {
  try {
    return await connection.openTable(name);
  } catch (cause) {
    if (!isTableMissing(cause))
      throw explainFailure(cause, `open the table ${name} of ${location.shown}`, secrets);
    if (!create) {
      if (name === 'runs') {
        await assertNothingLost(connection, location);
        throw new StoreError('store/not-found', `there is no store at ${location.shown}`);
      }
      throw new StoreError('store/damaged', `the table ${name} of the store ${location.shown} is missing`);
    }
  }
  try {
    const schema = arrowSchema(lance, tableColumns[name], new Map([[LAYOUT_KEY, LAYOUT_VERSION]]));
    return await connection.createEmptyTable(name, schema, {
      mode: 'create',
      storageOptions: { newTableDataStorageVersion: '2.2' },
    });
  } catch (cause) {
    // Another process may have made it at the same moment.
    if (cause instanceof Error && /already exists/i.test(cause.message)) {
      return await connection.openTable(name).catch((failure) => {
        throw explainFailure(failure, `open the table ${name} of ${location.shown}`, secrets);
      });
    }
    throw explainCreation(cause, location.shown, secrets);
  }
}
