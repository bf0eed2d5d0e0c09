import type { ListedRun, StoreReads } from '@pchronicle/store-lance';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../suggest.ts';

const SHOWN = 20;

/**
 * The one trajectory an id names: document key (or the beginning of one), document id, session, run or attempt.
 * None, or several, end the command with 4; of several the candidates are listed.
 */
export async function findOne(store: StoreReads, id: string): Promise<ListedRun> {
  const found = await store.resolve(id);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  // A document id beats a session, run or attempt of the same name.
  const documents = found.filter((run) => run.documentKey === id || run.documentId === id);
  if (documents.length === 1 && documents[0] !== undefined) return documents[0];
  if (found.length > 0) throw ambiguous(id, documents.length > 0 ? documents : found);
  const byPrefix: ListedRun[] = [];
  const ids = new Set<string>();
  for await (const run of store.list()) {
    if (id.length >= 4 && run.documentKey.startsWith(id)) byPrefix.push(run);
    if (ids.size < 10_000) for (const known of [run.documentId, run.session]) ids.add(known);
  }
  if (byPrefix.length === 1 && byPrefix[0] !== undefined) return byPrefix[0];
  if (byPrefix.length > 1) throw ambiguous(id, byPrefix);
  const near = nearest(id, [...ids]);
  throw new Failure(EXIT.store, 'cli/no-such-trajectory', `no trajectory has the id ${JSON.stringify(id)}`, {
    hint: near === undefined ? 'pchronicle ls lists them' : `did you mean ${JSON.stringify(near)}?`,
  });
}

function ambiguous(id: string, runs: readonly ListedRun[]): Failure {
  const shown = runs.slice(0, SHOWN).map((run) => {
    const attempt = run.attempt === undefined ? '' : `, attempt ${JSON.stringify(run.attempt)}`;
    return `${run.documentKey}  ${run.documentId}${attempt}, from ${run.source}`;
  });
  if (runs.length > SHOWN) shown.push(`… and ${runs.length - SHOWN} more`);
  return new Failure(
    EXIT.store,
    'cli/ambiguous-id',
    `${JSON.stringify(id)} names ${runs.length} trajectories; say which with its key`,
    { details: shown },
  );
}
