import type { Issue, Storyline } from '@pchronicle/storyline-core';
import type { StoryBatch } from './batch.ts';
import type { Reporting, Writing, Written } from './writing.ts';

/** Whether the output is to be a SQLite database: Forkline is written, and the file is named as one. */
export function isDatabase({ format, destination }: Writing): boolean {
  return (
    format.id === 'forkline' && destination.kind === 'file' && /\.(db|sqlite3?)$/i.test(destination.path)
  );
}

/** Writes all Storylines as one database that Forkline opens; it appears whole or, after an error, not at all. */
export async function writeDatabase(
  batches: AsyncIterable<StoryBatch>,
  { destination, options, context }: Writing,
  reporting: Reporting,
): Promise<Written> {
  if (destination.kind !== 'file') throw new TypeError('a database is written into a file');
  const { writeForklineDatabase } = await import('@pchronicle/format-forkline/sqlite');
  let storylines = 0;
  async function* all(): AsyncGenerator<Storyline> {
    for await (const batch of batches) {
      for (let index = 0; index < batch.count; index += 1) {
        context.interrupt.check();
        storylines += 1;
        yield await batch.stories.read(index);
      }
      batch.close();
    }
  }
  const { issues, runs } = await writeForklineDatabase(destination.path, all(), {
    overwrite: options.overwrite === true,
  });
  for (const issue of issues) reporting.report(issue);
  await reporting.flushLosses();
  const failed = issues.some((issue: Issue) => issue.severity === 'error');
  return failed
    ? { documents: 0, storylines: 0, failed: 1 }
    : { documents: 1, storylines: Math.min(runs, storylines), failed: 0 };
}
