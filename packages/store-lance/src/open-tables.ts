import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as LanceDb from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';
import type { Column } from './columns/column.ts';
import { columnTypeOf } from './columns/read-batch.ts';
import { arrowSchema } from './columns/schema.ts';
import type { Tables } from './context.ts';
import { explainFailure } from './lance/explain-failure.ts';
import type { Lance } from './lance/load-lance.ts';
import { LAYOUT_KEY, LAYOUT_VERSION, parseLayout, TABLE_NAMES, type TableName } from './layout.ts';
import { StoreError } from './store-error.ts';
import { tableColumns } from './table-columns.ts';
import type { StoreLocation } from './uri.ts';

/** Looks at a local store's folder before Lance does (Lance would create it, and calls a file an empty store). */
export async function inspectFolder(location: StoreLocation, create: boolean): Promise<void> {
  if (location.folder === undefined) return;
  let names: string[];
  try {
    if (!(await stat(location.folder)).isDirectory()) {
      throw new StoreError('store/not-a-store', `${location.shown} is a file; a store is a folder`);
    }
    names = await readdir(location.folder);
  } catch (cause) {
    if (!isMissing(cause)) throw explainFailure(cause, `open the store ${location.shown}`);
    if (!create) throw new StoreError('store/not-found', `there is no store at ${location.shown}`);
    await mkdir(dirname(location.folder), { recursive: true }).catch((failure) => {
      throw explainFailure(failure, `create the store ${location.shown}`);
    });
    return;
  }
  // With any of the tables there it is a store, or what is left of one, or one that is being made: opening them tells.
  const started = TABLE_NAMES.some((name) => names.includes(`${name}.lance`));
  if (started) return;
  const foreign = names.filter(
    (name) => !name.startsWith('.') && !TABLE_NAMES.some((table) => name === `${table}.lance`),
  );
  if (foreign.length > 0) {
    const what = create ? 'a new store needs an empty folder' : 'a store holds the folder runs.lance';
    throw new StoreError(
      create ? 'store/foreign-folder' : 'store/not-found',
      `${location.shown} holds other files ("${foreign[0]}"); ${what}`,
    );
  }
  if (!create) throw new StoreError('store/not-found', `there is no store at ${location.shown}`);
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

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
    throw explainFailure(cause, `create the store ${location.shown}`, secrets);
  }
}

async function checkTable(
  lance: Lance,
  table: LanceDb.Table,
  name: TableName,
  location: StoreLocation,
  { create, secrets }: { readonly create: boolean; readonly secrets: readonly string[] },
): Promise<{ readonly columns: readonly Column[]; readonly layout: string }> {
  let schema: Arrow.Schema;
  try {
    schema = await table.schema();
  } catch (cause) {
    throw explainFailure(cause, `read the table ${name} of ${location.shown}`, secrets);
  }
  const text = schema.metadata.get(LAYOUT_KEY);
  const layout = parseLayout(text);
  if (text === undefined || layout === undefined) {
    throw new StoreError(
      'store/not-a-store',
      `the table ${name} of ${location.shown} was not made by pchronicle (its schema names no layout version)`,
    );
  }
  const known = parseLayout(LAYOUT_VERSION);
  if (layout.major > (known?.major ?? 0)) {
    throw new StoreError(
      'store/newer-layout',
      `the store ${location.shown} has layout ${text}, this version of pchronicle reads up to ${known?.major}.x; update pchronicle to open it`,
    );
  }
  let columns = present(schema, name, location);
  const missing = tableColumns[name].filter((column) => !columns.includes(column));
  if (create && missing.length > 0) {
    const wanted = arrowSchema(lance, missing, new Map());
    try {
      await table.addColumns([...wanted.fields]);
    } catch (cause) {
      throw explainFailure(cause, `add the newer columns to the table ${name} of ${location.shown}`, secrets);
    }
    columns = present(await table.schema(), name, location);
  }
  return { columns, layout: text };
}

function present(schema: Arrow.Schema, name: TableName, location: StoreLocation): readonly Column[] {
  const found = new Map(schema.fields.map((field) => [field.name, columnTypeOf(field.type)]));
  return tableColumns[name].filter((column) => {
    const type = found.get(column.name);
    if (type === undefined && column.nullable && !found.has(column.name)) return false;
    if (type !== column.type) {
      throw new StoreError(
        'store/not-a-store',
        `the table ${name} of ${location.shown} has no column "${column.name}" of type ${column.type}`,
      );
    }
    return true;
  });
}
