/** What decides which row of a document counts. */
export interface Versioned {
  readonly revision: bigint;
  readonly ingestId: string;
}

/**
 * Whether `left` is newer than `right`: the greater revision, then the greater ingest id.
 * The newest row of a key in `runs` is the only one that counts; wall clocks never decide.
 */
export function isNewer(left: Versioned, right: Versioned): boolean {
  return (
    left.revision > right.revision || (left.revision === right.revision && left.ingestId > right.ingestId)
  );
}
