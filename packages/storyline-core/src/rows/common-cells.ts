import { documentIdOf, type Storyline } from '../storyline.ts';
import type { StepRow } from './columns.ts';
import { wellFormedText } from './exact-cells.ts';
import type { RowIdentity } from './row-identity.ts';

/** Cells that every row of a document repeats. Only the run's own are read back, so only they have an exact form. */
export function commonCells(
  storyline: Storyline,
  identity: RowIdentity,
): Pick<StepRow, 'document_key' | 'ingest_id' | 'document_id' | 'run_id' | 'session_id'> {
  return {
    document_key: identity.documentKey,
    ingest_id: identity.ingestId,
    document_id: wellFormed(documentIdOf(storyline)) ?? '',
    run_id: wellFormed(storyline.run),
    session_id: wellFormed(storyline.session) ?? '',
  };
}

/** A text that only promotes: it is never read back. */
export function wellFormed(text: string | undefined): string | null {
  return text === undefined ? null : wellFormedText(text);
}
