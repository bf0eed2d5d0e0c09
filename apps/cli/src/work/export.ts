import type { ExportCommandOptions } from '../commands/export.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { createIssueLog } from '../issues/log.ts';
import { withReads } from '../store/reads.ts';
import { filterWords, selectionOf } from '../store/select.ts';
import { countOf, formatCount } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';
import type { StoryBatch } from '../write/batch.ts';
import { destinationOf } from '../write/destination.ts';
import { targetFormat } from '../write/target-format.ts';
import { writeDocuments } from '../write/write-documents.ts';
import { writtenLine } from '../write/written-line.ts';

/** Writes selected trajectories of the store, whole, in the order of `ls`; exit 1 when one could not be written or, under `--strict`, anything was lost. */
export async function exportFiles(options: ExportCommandOptions, context: Context): Promise<void> {
  const format = targetFormat(options);
  const destination = await destinationOf(options);
  const log = createIssueLog(context.notes);
  await withReads(options, context, async (reads) => {
    const selected = await reads.collection(await selectionOf(reads, options, context));
    if (selected.length === 0) throw nothingSelected(options);
    const progress = createProgress(context.notes, {
      label: 'exporting',
      total: selected.length,
      unit: 'items',
    });
    let read = 0;
    const batch: StoryBatch = {
      count: selected.length,
      sourceOf: () => undefined,
      close() {},
      stories: {
        heads: () => selected.heads(),
        sourceOf: (index) => selected.sourceOf(index),
        async read(index) {
          context.interrupt.check();
          const storyline = await selected.read(index);
          read += 1;
          progress.update(
            read,
            `${formatCount(read)} of ${countOf(selected.length, 'trajectory', 'trajectories')}`,
          );
          return storyline;
        },
      },
    };
    try {
      const written = await writeDocuments(one(batch), { format, destination, options, context, log });
      progress.stop();
      log.print();
      context.notes.say(writtenLine('exported', written, format, destination, log.tally.counts));
    } finally {
      progress.stop();
    }
  });
}

async function* one(batch: StoryBatch): AsyncGenerator<StoryBatch> {
  yield batch;
}

function nothingSelected(options: ExportCommandOptions): Failure {
  const words = filterWords(options);
  const message = words === '' ? 'the store holds no trajectories' : `no trajectory has ${words}`;
  return new Failure(EXIT.store, 'cli/nothing-selected', message, {
    hint: 'pchronicle ls lists what there is',
  });
}
