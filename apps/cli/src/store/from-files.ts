import type { Store } from '@pchronicle/store-lance';
import type { ImportEvent } from '@pchronicle/storyline-core';
import type { ReadOptions } from '../commands/read-options.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { createIssueLog } from '../issues/log.ts';
import { eachInput, findInputs } from '../read/each-input.ts';
import { importEvents } from '../read/import-events.ts';
import { countOf } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';

/**
 * Reads files of any format into a private temporary store, runs the work over it, and removes it; exit 1 when a document was rejected.
 * `found` is called once the inputs are known, before any is read.
 */
export async function withFiles(
  arguments_: readonly string[],
  options: ReadOptions & { readonly salvage?: boolean },
  context: Context,
  work: (store: Store) => Promise<void>,
  found: () => Promise<void> = async () => {},
): Promise<void> {
  const list = await findInputs(arguments_, options, context);
  await found();
  const log = createIssueLog(context.notes);
  const { openStore } = await import('@pchronicle/store-lance');
  const store = await openStore(`${temporaryFolder()}/store`, { create: true });
  const progress = createProgress(context.notes, { label: 'reading', total: list.bytes, unit: 'bytes' });
  let source = '';
  let documents = 0;
  let doneBytes = 0;
  const events = async function* (): AsyncGenerator<ImportEvent> {
    for await (const input of eachInput(list, options, context)) {
      source = input.input.shown;
      const onBytes = (bytes: number): void =>
        progress.update(doneBytes + bytes, countOf(documents, 'document'));
      for await (const event of importEvents(input, { ...options, onBytes }, context)) {
        if (event.type === 'issue') log.add(event.issue);
        else if (event.type === 'end') documents += 1;
        yield event;
      }
      doneBytes += input.source.size;
    }
  };
  try {
    const done = await store.ingest(events(), {
      sourceId: () => source,
      indexes: false,
      signal: context.interrupt.signal,
      onIssue: (issue) => log.add(issue),
    });
    progress.stop();
    log.print();
    if (done.documents.rejected > 0 || log.tally.counts.errors > 0) context.mark(EXIT.findings);
    context.interrupt.check();
    await work(store);
  } finally {
    progress.stop();
    await store.close();
  }
}
