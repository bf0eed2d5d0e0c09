import type * as LanceDb from '@lancedb/lancedb';
import type { StoreAccess } from '../context.ts';
import type { Lance } from './load-lance.ts';

/** Bytes that a connection may keep of indexes and of metadata. The defaults (6 GB and 1 GB) are a server's; an import leaves the metadata of thousands of versions behind. */
export interface LanceCaches {
  readonly index: bigint;
  readonly metadata: bigint;
}

const CACHES: LanceCaches = { index: 256n * 1024n * 1024n, metadata: 32n * 1024n * 1024n };
/** Of a connection that reads everything once. */
export const SCANNING_CACHES: LanceCaches = { index: 1024n * 1024n, metadata: 8n * 1024n * 1024n };

/** Connects to a store. */
export async function connectLance(
  lance: Lance,
  access: StoreAccess,
  caches: LanceCaches = CACHES,
): Promise<LanceDb.Connection> {
  return await lance.lancedb.connect(access.uri, {
    readConsistencyInterval: 0,
    session: new lance.lancedb.Session(caches.index, caches.metadata),
    ...(access.storageOptions === undefined ? {} : { storageOptions: { ...access.storageOptions } }),
    // Without this Lance keeps a fourth table of its own, `__manifest`, beside the three.
    namespaceClientProperties: { manifest_enabled: 'false' },
  });
}
