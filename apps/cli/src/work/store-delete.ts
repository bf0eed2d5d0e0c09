import type { ListedRun, RunFilter, Store } from '@pchronicle/store-lance';
import type { StoreDeleteOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure, usageFailure } from '../failure.ts';
import { findOne } from '../store/find-one.ts';
import { withStore } from '../store/open.ts';
import { runJson } from '../store/run-json.ts';
import { runTable } from '../store/run-table.ts';
import { filterWords, selectionOf } from '../store/select.ts';
import { confirmed } from '../terminal/ask.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Rows of the list that is shown before the question. */
const SHOWN = 20;

/** Deletes the trajectories that ids or options name: hidden at once, gone for good after maintenance. */
export async function storeDelete(
  ids: readonly string[],
  options: StoreDeleteOptions,
  context: Context,
): Promise<void> {
  const words = filterWords(options);
  if (ids.length === 0 && words === '')
    throw usageFailure(
      'cli/nothing-named',
      'nothing says what to delete',
      'name ids, or say --run, --session, --document, --attempt or --where',
    );
  if (ids.length > 0 && words !== '')
    throw usageFailure('cli/nothing-named', 'name either ids, or a selection; not both');
  await withStore(options.store, context, async (store) => {
    const runs = await meant(store, ids, options, context);
    if (runs.length === 0) {
      throw new Failure(EXIT.store, 'cli/nothing-selected', `no trajectory has ${words}`, {
        hint: 'pchronicle ls lists what there is',
      });
    }
    const what = countOf(runs.length, 'trajectory', 'trajectories');
    if (options.dryRun === true) {
      await show(store, runs, 0, options, context);
      return context.notes.say(`would delete ${what}; ${safeLine(store.uri)} was not changed`);
    }
    if (options.yes !== true) {
      if (context.notes.isTerminal) for (const line of listed(runs)) context.notes.say(line);
      if (!(await confirmed(`Delete ${what} of ${safeLine(store.uri)}?`, context)))
        return context.notes.say('nothing was deleted');
    }
    context.interrupt.check();
    const deleted = await store.delete({ documentKeys: runs.map((run) => run.documentKey) });
    if (options.json === true) await show(store, runs, deleted, options, context);
    context.notes.say(
      `deleted ${countOf(deleted, 'trajectory', 'trajectories')}; pchronicle store maintain frees the space once they are past its retention`,
    );
  });
}

async function meant(
  store: Store,
  ids: readonly string[],
  options: StoreDeleteOptions,
  context: Context,
): Promise<readonly ListedRun[]> {
  const runs = new Map<string, ListedRun>();
  for (const id of ids) {
    const run = await findOne(store, id);
    runs.set(run.documentKey, run);
  }
  if (ids.length > 0) return [...runs.values()];
  const filter: RunFilter = await selectionOf(store, options, context);
  for await (const run of store.list(filter)) {
    context.interrupt.check();
    runs.set(run.documentKey, run);
  }
  return [...runs.values()];
}

async function show(
  store: Store,
  runs: readonly ListedRun[],
  deleted: number,
  options: StoreDeleteOptions,
  { stdout, style }: Context,
): Promise<void> {
  if (options.json === true) {
    const object = { store: store.uri, dry_run: options.dryRun === true, deleted, runs: runs.map(runJson) };
    return await stdout.writeJson(`${safeJson(JSON.stringify(object))}\n`);
  }
  const width = stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
  await stdout.write(`${runTable(runs, width, style)}\n`);
}

function listed(runs: readonly ListedRun[]): string[] {
  const lines = runs
    .slice(0, SHOWN)
    .map((run) => safeLine(`  ${run.documentKey}  ${run.documentId}, from ${run.source}`));
  if (runs.length > SHOWN) lines.push(`  … and ${runs.length - SHOWN} more`);
  return lines;
}
