import { textOf } from '../cells.ts';
import type { StoreContext } from '../context.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { take } from '../lance/scan.ts';
import type { StoredIngest } from '../read/live-entries.ts';
import { readParts } from '../read/read-parts.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Checked, checkRows, type VerifyFault } from './check-unit.ts';
import { isUnreadable } from './readable-spans.ts';

/** The fault of a Storyline whose rows cannot be read. */
export async function unreadFault(
  snapshot: Snapshot,
  { key, rowId }: StoredIngest,
  cause: unknown,
): Promise<VerifyFault> {
  let documentId = '';
  try {
    for await (const page of take(snapshot.tables.runs, [rowId], { columns: ['document_id'] }))
      for (const row of page) documentId = textOf(row, 'document_id');
  } catch (failure) {
    if (!isUnreadable(failure)) throw failure;
  }
  return { documentKey: key, documentId, message: explainFailure(cause, 'be read').message };
}

/** What checking a Storyline gave that could not be read. */
export function unread(faults: readonly VerifyFault[]): Checked {
  return { documents: faults.length, steps: 0, toolCalls: 0, faults, characters: 0 };
}

/** Checks one Storyline by itself. */
export async function checkAlone(
  context: StoreContext,
  snapshot: Snapshot,
  ingest: StoredIngest,
): Promise<Checked> {
  try {
    for await (const { entry, run, steps, toolCalls } of readParts(context, snapshot, [ingest], true)) {
      const faults = checkRows(context, entry, run, steps, toolCalls);
      return { documents: 1, steps: steps.length, toolCalls: toolCalls.length, faults, characters: 0 };
    }
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    return unread([await unreadFault(snapshot, ingest, cause)]);
  }
  return unread([]);
}

/** What the parts of a unit gave, together. */
export function sumOf(parts: readonly Checked[]): Checked {
  return parts.reduce((sum, part) => ({
    documents: sum.documents + part.documents,
    steps: sum.steps + part.steps,
    toolCalls: sum.toolCalls + part.toolCalls,
    faults: [...sum.faults, ...part.faults],
    characters: sum.characters + part.characters,
  }));
}

/** Says which rows no row of `runs` names, if any. */
export function orphanNotes(steps: number, calls: number): string[] {
  if (steps <= 0 && calls <= 0) return [];
  return [
    `${Math.max(0, steps)} steps and ${Math.max(0, calls)} calls belong to no committed import: it was interrupted, is under way, or was lost; maintenance removes them once they are older than the safety age`,
  ];
}
