import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';

/** The two native-side libraries, in the instances that know each other. */
export interface Lance {
  readonly arrow: typeof Arrow;
  readonly lancedb: typeof LanceDb;
}

const FEWEST_THREADS = 4;

let loaded: Lance | undefined;

/**
 * Loads LanceDB and Arrow on first use (it costs about 180 ms).
 * Both are required, not imported: LanceDB requires apache-arrow, and a table made by the ES module instance of Arrow is foreign to it
 * (`add` then commits 0 rows without an error).
 */
export function loadLance(): Lance {
  if (loaded === undefined) {
    // With one thread a full-text index build waits for itself for ever; must be set before the library starts.
    const threads = Number(process.env.LANCE_CPU_THREADS ?? availableParallelism());
    if (!(threads >= FEWEST_THREADS)) process.env.LANCE_CPU_THREADS = String(FEWEST_THREADS);
    // MiB of text index that each of its threads builds up before it writes them; the default of 2,048 is a server's.
    process.env.LANCE_FTS_PARTITION_SIZE ??= '64';
    // Its warnings (retries, throttling) would land on the user's standard error; what matters comes back as an error anyway.
    process.env.LANCEDB_LOG ??= 'error';
    // Damaged files make it panic; the line about that cannot be kept from standard error, a stack of its insides can.
    process.env.RUST_BACKTRACE ??= '0';
    const require = createRequire(import.meta.url);
    loaded = {
      arrow: require('apache-arrow') as typeof Arrow,
      lancedb: require('@lancedb/lancedb') as typeof LanceDb,
    };
  }
  return loaded;
}
