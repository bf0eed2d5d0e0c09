import type { LeftOut, StoreReads } from '@pchronicle/store-lance';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { createIssueLog } from '../issues/log.ts';

/** Runs the work over everything of a store that can be read; names what is left out, and exits with 4 if anything is. */
export async function withoutDamage(
  reads: StoreReads,
  context: Context,
  work: (reads: StoreReads) => Promise<void>,
): Promise<void> {
  const folder = `${temporaryFolder()}/readable`;
  const left = await reads.withoutDamage(folder, { signal: context.interrupt.signal });
  context.interrupt.check();
  if (left.damage.length + left.storylines.length === 0) return await work(reads);
  context.mark(EXIT.store);
  tell(left, context);
  const { openStore } = await import('@pchronicle/store-lance');
  const store = await openStore(folder);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function tell({ damage, storylines }: LeftOut, { notes }: Context): void {
  const log = createIssueLog(notes, Number.POSITIVE_INFINITY);
  const add = (code: 'cli/left-out' | 'cli/rows-left-out', message: string): void =>
    log.add({ code, severity: 'error', message, at: { pointer: '' } });
  for (const { table, message } of damage) {
    // What they replaced or deleted is there again.
    const unknown =
      table === 'runs'
        ? '; which trajectories these name is not known, and older versions of them may be shown'
        : '';
    add('cli/rows-left-out', `table ${table}: ${message}${unknown}`);
  }
  for (const { documentId, documentKey } of storylines)
    add(
      'cli/left-out',
      `${JSON.stringify(documentId)} (${documentKey}) is left out: not all of it can be read as it was imported`,
    );
  log.print();
}
