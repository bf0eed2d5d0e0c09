import type { ListedRun } from '@pchronicle/store-lance';
import type { LsOptions } from '../commands/ls.ts';
import type { Context } from '../context.ts';
import { withReads } from '../store/reads.ts';
import { runJson } from '../store/run-json.ts';
import { runTable } from '../store/run-table.ts';
import { filterWords, selectionOf } from '../store/select.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Lists the trajectories of the store, ordered by source, record, and position in the record. */
export async function listRuns(options: LsOptions, context: Context): Promise<void> {
  await withReads(options, context, async (reads) => {
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const more = { there: false };
    const runs = limited(reads.list(await selectionOf(reads, options, context)), limit, more, context);
    if (options.jsonl === true) {
      for await (const run of runs) await context.stdout.writeJson(`${asJson(run)}\n`);
    } else if (options.json === true) {
      await writeObject(runs, context);
    } else {
      await writeTable(runs, options, more, context);
    }
  });
}

async function* limited(
  runs: AsyncIterable<ListedRun>,
  limit: number,
  /** Told whether there are more than the limit. */
  more: { there: boolean },
  context: Context,
): AsyncGenerator<ListedRun> {
  let count = 0;
  for await (const run of runs) {
    context.interrupt.check();
    if (count >= limit) {
      more.there = true;
      return;
    }
    count += 1;
    yield run;
  }
}

async function writeObject(runs: AsyncIterable<ListedRun>, { stdout }: Context): Promise<void> {
  let count = 0;
  await stdout.writeJson('{"runs":[');
  for await (const run of runs) await stdout.writeJson(`${count++ === 0 ? '' : ','}${asJson(run)}`);
  await stdout.writeJson(']}\n');
}

async function writeTable(
  runs: AsyncIterable<ListedRun>,
  options: LsOptions,
  more: { readonly there: boolean },
  context: Context,
): Promise<void> {
  const rows: ListedRun[] = [];
  for await (const run of runs) rows.push(run);
  const words = filterWords(options);
  if (rows.length === 0) {
    context.notes.say(
      words === '' ? 'the store holds no trajectories' : safeLine(`no trajectory has ${words}`),
    );
    return;
  }
  const width = context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
  await context.stdout.write(`${runTable(rows, width, context.style)}\n`);
  const count = countOf(rows.length, 'trajectory', 'trajectories');
  context.notes.say(more.there ? `the first ${count}; --limit shows more` : count);
}

function asJson(run: ListedRun): string {
  return safeJson(JSON.stringify(runJson(run)));
}
