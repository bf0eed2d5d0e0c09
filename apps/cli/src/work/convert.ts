import { type AnyFormat, chooseContainer } from '@pchronicle/storyline-core';
import type { ConvertOptions } from '../commands/convert.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { createStorySpool, type StorySpool } from '../io/story-spool.ts';
import { createIssueLog, type IssueLog } from '../issues/log.ts';
import { eachInput, findInputs, type ReadableInput } from '../read/each-input.ts';
import { importEvents } from '../read/import-events.ts';
import { noRejects, type Rejects, rejectsFile } from '../read/rejects.ts';
import { sourceDocuments } from '../read/source-documents.ts';
import { countOf } from '../terminal/numbers.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import type { StoryBatch } from '../write/batch.ts';
import { destinationOf } from '../write/destination.ts';
import { targetFormat } from '../write/target-format.ts';
import { writeDocuments } from '../write/write-documents.ts';
import { writtenLine } from '../write/written-line.ts';

/** Converts files; exit 1 when a document was rejected or, under `--strict`, anything was lost. */
export async function convert(
  arguments_: readonly string[],
  options: ConvertOptions,
  context: Context,
): Promise<void> {
  const format = targetFormat(options);
  const list = await findInputs(arguments_, options, context);
  const destination = await destinationOf(options);
  const rejects =
    options.rejects === undefined
      ? noRejects
      : await rejectsFile(options.rejects, options.overwrite === true);
  const log = createIssueLog(context.notes);
  const progress = createProgress(context.notes, { label: 'converting', total: list.bytes, unit: 'bytes' });
  const reading: Reading = { options, context, log, rejects, progress, doneBytes: 0, storylines: 0 };
  const inputs = eachInput(list, options, context);
  const batches = writesOneByOne(format, options) ? oneByOne(inputs, reading) : allTogether(inputs, reading);
  try {
    const written = await writeDocuments(batches, { format, destination, options, context, log });
    progress.stop();
    await rejects.commit();
    log.print();
    context.notes.say(writtenLine('converted', written, format, destination, log.tally.counts));
  } finally {
    progress.stop();
    await rejects.abort();
  }
}

interface Reading {
  readonly options: ConvertOptions;
  readonly context: Context;
  readonly log: IssueLog;
  readonly rejects: Rejects;
  readonly progress: Progress;
  doneBytes: number;
  storylines: number;
}

// A format with one Storyline a document needs to know of no other: its documents leave while the inputs are still read.
function writesOneByOne(format: AnyFormat, { container }: ConvertOptions): boolean {
  return chooseContainer(format, container)?.kind === 'document';
}

async function* oneByOne(inputs: AsyncIterable<ReadableInput>, reading: Reading): AsyncGenerator<StoryBatch> {
  let spool = createStorySpool();
  try {
    for await (const input of inputs) {
      for await (const _ of accepted(input, () => spool, reading)) {
        if (spool.count === 0) continue;
        const full = spool;
        spool = createStorySpool();
        const { name } = input.input;
        yield { stories: full, count: full.count, sourceOf: () => name, close: () => full.close() };
      }
    }
  } finally {
    spool.close();
  }
}

async function* allTogether(
  inputs: AsyncIterable<ReadableInput>,
  reading: Reading,
): AsyncGenerator<StoryBatch> {
  const spool = createStorySpool();
  const sources: string[] = [];
  for await (const input of inputs) {
    for await (const _ of accepted(input, () => spool, reading)) {
      while (sources.length < spool.count) sources.push(input.input.name);
    }
  }
  yield {
    stories: spool,
    count: spool.count,
    sourceOf: (index) => sources[index],
    close: () => spool.close(),
  };
}

// Yields after each accepted document, whose Storylines are then in the spool; a rejected one leaves nothing there.
async function* accepted(
  input: ReadableInput,
  spool: () => StorySpool,
  reading: Reading,
): AsyncGenerator<void> {
  const { context, options, log, rejects, progress } = reading;
  const sourceOf = sourceDocuments(input.input.name);
  const onBytes = (bytes: number): void =>
    progress.update(reading.doneBytes + bytes, countOf(reading.storylines, 'trajectory', 'trajectories'));
  for await (const event of importEvents(input, { ...options, onBytes }, context)) {
    switch (event.type) {
      case 'document':
        spool().mark();
        break;
      case 'storyline':
        spool().add(event.storyline, sourceOf(event.document, event.storyline));
        break;
      case 'issue':
        log.add(event.issue);
        if (event.issue.severity === 'error') context.mark(EXIT.findings);
        break;
      case 'end':
        if (!event.accepted || event.salvaged === true) await rejects.add(input.source, event.ranges);
        if (event.accepted) {
          reading.storylines += event.storylines;
          yield;
        } else {
          context.mark(EXIT.findings);
          spool().rollback();
        }
        break;
      case 'progress':
        break;
    }
  }
  reading.doneBytes += input.input.size;
}
