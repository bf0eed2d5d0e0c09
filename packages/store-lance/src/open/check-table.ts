import type * as LanceDb from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';
import type { Column } from '../columns/column.ts';
import { columnTypeOf } from '../columns/read-batch.ts';
import { arrowSchema } from '../columns/schema.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import type { Lance } from '../lance/load-lance.ts';
import { LAYOUT_KEY, LAYOUT_VERSION, parseLayout, type TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';
import { tableColumns } from '../table-columns.ts';
import type { StoreLocation } from '../uri.ts';

/** Checks that a table is one of this package and of a layout that it knows; with `create` adds the columns that came later. */
export async function checkTable(
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
