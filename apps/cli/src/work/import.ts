import type { IngestSummary } from '@pchronicle/store-lance';
import type { ImportEvent } from '@pchronicle/storyline-core';
import type { ImportCommandOptions } from '../commands/import.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Interrupted } from '../failure.ts';
import type { Input } from '../io/inputs.ts';
import { keepStoreFolder } from '../io/store-folder.ts';
import { createIssueLog, type IssueLog } from '../issues/log.ts';
import { createShareLog, type ShareLog } from '../issues/share-log.ts';
import { eachInput, findInputs, type ReadableInput } from '../read/each-input.ts';
import { importEvents } from '../read/import-events.ts';
import { noRejects, type Rejects, rejectsFile } from '../read/rejects.ts';
import { type ImportStore, openForImport } from '../store/open-for-import.ts';
import { summaryLine } from '../store/summary-line.ts';
import { countOf } from '../terminal/numbers.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe.ts';

/** Imports files into the store; exit 1 when a document was rejected (or, under `--strict`, anything was warned of). */
export async function importFiles(
  arguments_: readonly string[],
  options: ImportCommandOptions,
  context: Context,
): Promise<void> {
  const started = performance.now();
  const list = await findInputs(arguments_, options, context);
  const log = createIssueLog(context.notes);
  keepStoreFolder(options.store);
  const rejects =
    options.rejects === undefined
      ? noRejects
      : await rejectsFile(options.rejects, options.overwrite === true);
  const target = await openForImport(options.store, options.dryRun === true);
  const progress = createProgress(context.notes, { label: 'importing', total: list.bytes, unit: 'bytes' });
  const run: ImportRun = {
    ...{ options, context, log, rejects, target, progress },
    shared: createShareLog(log),
    sourceId: '',
    doneBytes: 0,
    documents: 0,
  };
  let totals: IngestSummary;
  try {
    totals = await importAll(eachInput(list, options, context), run);
    await rejects.commit();
  } finally {
    progress.stop();
    await rejects.abort();
    await target.store.close();
  }
  log.print();
  const { errors, warnings } = log.tally.counts;
  if (totals.documents.rejected > 0 || errors > 0) context.mark(EXIT.findings);
  if (options.strict === true && warnings > 0) context.mark(EXIT.findings);
  const seconds = (performance.now() - started) / 1000;
  if (options.json === true) await context.stdout.writeJson(`${summaryJson(totals, seconds, run)}\n`);
  context.notes.say(
    summaryLine(totals, {
      seconds,
      bytes: run.doneBytes,
      store: target.shown,
      dryRun: options.dryRun === true,
    }),
  );
  context.interrupt.check();
}

interface ImportRun {
  readonly options: ImportCommandOptions;
  readonly context: Context;
  readonly log: IssueLog;
  readonly shared: ShareLog;
  readonly rejects: Rejects;
  readonly target: ImportStore;
  readonly progress: Progress;
  /** Identity of the input that is being read. */
  sourceId: string;
  doneBytes: number;
  documents: number;
}

// All inputs are one import, so that many small files share commits. Under one --source they are one source to the store; else each is its own.
async function importAll(inputs: AsyncIterable<ReadableInput>, run: ImportRun): Promise<IngestSummary> {
  const { options, context, log, target } = run;
  const all = async function* (): AsyncGenerator<ImportEvent> {
    for await (const input of untilInterrupted(inputs)) {
      run.sourceId = options.source ?? (await identityOf(input.input));
      yield* events(input, run);
    }
  };
  return await target.store.ingest(all(), {
    sourceId: () => run.sourceId,
    skipCopies: options.skipCopies === true,
    dryRun: options.dryRun === true,
    ...(options.share === undefined ? {} : { share: options.share }),
    signal: context.interrupt.signal,
    onIssue: (issue) => log.add(issue),
    onSettled: (document, own) => run.shared.settle(document, own),
  });
}

async function* events(input: ReadableInput, run: ImportRun): AsyncGenerator<ImportEvent> {
  const { context, options, rejects, progress, shared } = run;
  const onBytes = (bytes: number): void =>
    progress.update(run.doneBytes + bytes, countOf(run.documents, 'document'));
  for await (const event of untilInterrupted(importEvents(input, { ...options, onBytes }, context))) {
    if (event.type === 'issue') await tell(event, run);
    yield event;
    if (event.type !== 'end') continue;
    // The store has settled whose it is.
    run.documents += 1;
    const isBad = !event.accepted || event.salvaged === true;
    if (isBad && shared.own()) await rejects.add(input.source, event.ranges);
  }
  run.doneBytes += input.source.size;
}

// An interruption ends the events; what was complete before it is still committed.
async function* untilInterrupted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

// Every share reads all of the input: what is said of a document, or of the source as a whole, is for one of them to tell.
async function tell(
  { issue, document }: Extract<ImportEvent, { type: 'issue' }>,
  { options, log, shared, sourceId }: ImportRun,
): Promise<void> {
  if (options.share === undefined) return log.add(issue);
  if (document !== undefined) return shared.add(issue, document);
  const { shareOf } = await import('@pchronicle/store-lance');
  if (shareOf(sourceId, '', options.share.count) === options.share.index) log.add(issue);
}

async function identityOf(input: Input): Promise<string> {
  const { sourceIdOf } = await import('@pchronicle/store-lance');
  if (input.path === undefined) return 'stdin';
  // The real path of `<(…)` is another one each time.
  return sourceIdOf(input.piped ? `pipe://${input.path}` : input.path);
}

function summaryJson(
  totals: IngestSummary,
  seconds: number,
  { options, target, log, doneBytes }: ImportRun,
): string {
  const { new: added, replaced, unchanged, rejected, elsewhere } = totals.documents;
  const object = {
    store: target.shown,
    documents: {
      new: added,
      replaced,
      unchanged,
      rejected,
      ...(options.share === undefined ? {} : { elsewhere }),
    },
    rows: totals.rows,
    bytes: doneBytes,
    seconds,
    issues: log.tally.byCode(),
  };
  return safeJson(JSON.stringify(object));
}
