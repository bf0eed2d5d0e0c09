import {
  type AnyFormat,
  chooseContainer,
  exportDocuments,
  type Issue,
  type Outer,
  outerOf,
  standsAlone,
} from '@pchronicle/storyline-core';
import { EXIT } from '../exit.ts';
import { lookAhead, type StoryBatch } from './batch.ts';
import { lossesFile } from './losses-file.ts';
import { refuseSeveral } from './refuse-several.ts';
import { wholeText } from './whole-text.ts';
import { isDatabase, writeDatabase } from './write-database.ts';
import { writeFolder } from './write-folder.ts';
import { writeTogether } from './write-together.ts';
import type { Outgoing, Writing, Written } from './writing.ts';

/** Writes all batches to where `-o` says: issues go to the log, losses to their file too; errors, and losses under `--strict`, mark the exit code. */
export async function writeDocuments(batches: AsyncIterable<StoryBatch>, writing: Writing): Promise<Written> {
  const { format, destination, options, context, log } = writing;
  const ahead = await lookAhead(batches);
  if (ahead.none) return { documents: 0, storylines: 0, failed: 0 };
  const folder = destination.kind === 'folder';
  const outer = options.container ?? defaultOuter(format, ahead.several && !folder);
  const container = chooseContainer(format, outer);
  const database = isDatabase(writing);
  if (
    !folder &&
    !database &&
    ahead.several &&
    container?.kind === 'document' &&
    standsAlone(outer, container)
  ) {
    refuseSeveral(undefined, format);
  }
  const losses = await lossesFile(options.losses, options.overwrite === true);
  const found: Issue[] = [];
  const report = (issue: Issue): void => {
    log.add(issue);
    if (issue.severity === 'error' || (issue.severity === 'loss' && options.strict === true)) {
      context.mark(EXIT.findings);
    }
    if (issue.severity === 'loss') found.push(issue);
  };
  const flushLosses = async (): Promise<void> => {
    for (const issue of found.splice(0)) await losses.add(issue);
  };
  try {
    const written = database
      ? await writeDatabase(ahead.batches, writing, { report, flushLosses })
      : await (folder ? writeFolder : writeTogether)(
          documentsOf(ahead.batches, outer, writing),
          outer,
          writing,
          {
            report,
            flushLosses,
          },
        );
    await flushLosses();
    await losses.commit();
    return written;
  } finally {
    await losses.abort();
  }
}

// docs/cli.md: a format's first container; a Storyline stands alone, several of them make an array.
function defaultOuter(format: AnyFormat, several: boolean): Outer {
  if (format.id === 'storyline') return several ? 'array' : 'document';
  const container = chooseContainer(format, undefined);
  if (container === undefined) throw new TypeError(`the format ${format.id} has no container to write`);
  return outerOf(container);
}

async function* documentsOf(
  batches: AsyncIterable<StoryBatch>,
  outer: Outer,
  { format, options, context }: Writing,
): AsyncGenerator<Outgoing> {
  const exportOptions = {
    outer,
    strict: options.strict === true,
    carry: options.carry === true,
    ...(options.indent === undefined ? {} : { indent: options.indent }),
  };
  let before = 0;
  for await (const batch of batches) {
    for await (const document of exportDocuments(format, batch.stories, exportOptions)) {
      context.interrupt.check();
      yield { document: wholeText(document, context.interrupt.check), batch, before };
    }
    before += batch.count;
    batch.close();
  }
}
