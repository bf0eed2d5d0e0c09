import type { Column } from '../src/columns/column.ts';
import { arrowSchema } from '../src/columns/schema.ts';
import type { StoreContext } from '../src/context.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { temporaryFolder } from './helpers.ts';

/** A column of each type. */
export const bareColumns: readonly Column[] = [
  { name: 'key', type: 'utf8', nullable: false },
  { name: 'text', type: 'utf8', nullable: true },
  { name: 'count', type: 'int64', nullable: true },
  { name: 'score', type: 'float64', nullable: true },
  { name: 'flag', type: 'bool', nullable: true },
  { name: 'at', type: 'timestamp_ns', nullable: true },
];

/** One table without a store around it, and as much of a store's context as writing to it as `steps` takes. */
export async function bareTable(columns = bareColumns) {
  const lance = loadLance();
  const folder = temporaryFolder();
  const namespaceClientProperties = { manifest_enabled: 'false' };
  const connection = await lance.lancedb.connect(folder, {
    readConsistencyInterval: 0,
    namespaceClientProperties,
  });
  const made = await connection.createEmptyTable('steps', arrowSchema(lance, columns, new Map()), {
    storageOptions: { newTableDataStorageVersion: '2.2' },
  });
  const context = {
    lance,
    connection,
    secrets: [],
    location: { uri: '', shown: 'test' },
    tables: { steps: made },
    columns: { steps: columns },
  } as unknown as StoreContext;
  /** Another handle, as another process has it: nothing makes it look for newer versions. */
  const elsewhere = async () =>
    await (await lance.lancedb.connect(folder, { namespaceClientProperties })).openTable('steps');
  return { lance, made, context, elsewhere };
}
