import type * as LanceDb from '@lancedb/lancedb';
import type { StoreAccess } from '../context.ts';
import type { Lance } from './load-lance.ts';

const INDEX_CACHE = 256n * 1024n * 1024n;
const METADATA_CACHE = 32n * 1024n * 1024n;

/** Connects to a store. */
export async function connectLance(lance: Lance, access: StoreAccess): Promise<LanceDb.Connection> {
  return await lance.lancedb.connect(access.uri, {
    readConsistencyInterval: 0,
    // The defaults (6 GB and 1 GB) are a server's; an import leaves the metadata of thousands of versions behind.
    session: new lance.lancedb.Session(INDEX_CACHE, METADATA_CACHE),
    ...(access.storageOptions === undefined ? {} : { storageOptions: { ...access.storageOptions } }),
    // Without this Lance keeps a fourth table of its own, `__manifest`, beside the three.
    namespaceClientProperties: { manifest_enabled: 'false' },
  });
}
