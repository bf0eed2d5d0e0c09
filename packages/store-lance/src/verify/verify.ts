import { availableParallelism } from 'node:os';
import { guarded, type StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';
import { readParts } from '../read/read-parts.ts';
import type { Snapshot } from '../snapshot.ts';
import { brokenFiles, damagedVersions, lostVersions } from './check-files.ts';
import { damagedIndexes } from './check-indexes.ts';
import { type Checked, checkRows, checkUnit, type VerifyFault } from './check-unit.ts';
import { type Checker, threadChecker } from './checkers.ts';
import { fragmentFiles } from './fragment-files.ts';
import { hitFiles } from './hit-files.ts';
import { LIVE_COLUMNS, liveIngests } from './live-ingests.ts';
import { halvesOf, liesAlone, planUnits, type Span, type Unit } from './plan-units.ts';
import {
  damageOf,
  isUnreadable,
  overReadable,
  type StoreDamage,
  type UnreadableRows,
} from './readable-spans.ts';
import type { VerifyOptions, VerifyReport } from './report.ts';
import { type RowSpans, rowSpans } from './row-spans.ts';
import { checkAlone, orphanNotes, sumOf, unread, unreadFault } from './unreadable.ts';

/** Rows up to which another thread costs more than it saves. */
const SMALL = 20_000;
const DEFAULT_THREADS = 2;
/** Rows of the first unit, before their size is known; characters that the next ones aim at; most rows. */
const FIRST_ROWS = 512;
const UNIT_CHARACTERS = 8 * 1024 * 1024;
const MOST_ROWS = 16_384;

/**
 * Re-reads every Storyline and compares it with what was imported: its content hash, and every cell of every row with what the rebuilt
 * Storyline gives. Each table is read once in physical order, in pieces of bounded size that several threads share; what remains in memory
 * is some 0.3 kB a Storyline.
 */
export async function verifyStore(
  context: StoreContext,
  snapshot: Snapshot,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const started = performance.now();
  const totals = { documents: 0, steps: 0, toolCalls: 0 };
  const faults: (readonly VerifyFault[])[] = [];
  const damage: StoreDamage[] = [];
  const notes: string[] = [];
  let unreadable = false;
  const unreadKeys = new Set<string>();
  const filesOf = (name: TableName) => fragmentFiles(context, name, snapshot.versions[name]);
  const add = (place: number, checked: Checked, total: number): void => {
    totals.documents += checked.documents;
    totals.steps += checked.steps;
    totals.toolCalls += checked.toolCalls;
    // In the order of the units, whichever thread was faster.
    if (checked.faults.length > 0) faults[place] = checked.faults;
    for (const fault of checked.faults) options.onFault?.(fault);
    options.onProgress?.(totals.documents, total);
  };
  const checkAll = async (): Promise<void> => {
    damage.push(...(await lostVersions(context, snapshot)), ...(await damagedVersions(context)));
    const { tables } = snapshot;
    const over = async <Result>(
      name: TableName,
      columns: readonly string[],
      work: (parts: readonly Span[]) => Promise<Result>,
    ): Promise<Result> => {
      let unreadableRows: readonly UnreadableRows[] = [];
      const result = await overReadable(tables[name], columns, (found) => (unreadableRows = found), work);
      if (unreadableRows.length > 0) damage.push(...damageOf(name, unreadableRows, await filesOf(name)));
      return result;
    };
    const ingests = await over('runs', LIVE_COLUMNS, (parts) => liveIngests(snapshot, parts));
    const spansOf = (name: 'steps' | 'tool_calls'): Promise<RowSpans> =>
      over(name, ['ingest_id'], (parts) => rowSpans(tables[name], ingests, parts));
    const steps = await spansOf('steps');
    const calls = await spansOf('tool_calls');
    await context.tables.runs.checkoutLatest();
    // To an earlier moment the rows of later ones look like orphans.
    if ((await context.tables.runs.version()) === snapshot.versions.runs) {
      notes.push(...orphanNotes(steps.rows - ingests.claimed.steps, calls.rows - ingests.claimed.calls));
    }
    const plan = planUnits(ingests, steps, calls);
    const local: Checker = {
      check: (unit) => checkUnit({ tables: snapshot.tables, columns: context.columns }, unit),
      close: async () => undefined,
    };
    const wanted = options.threads ?? Math.min(DEFAULT_THREADS, availableParallelism());
    const small = steps.rows + calls.rows <= SMALL && options.threads === undefined;
    const checkers =
      small || wanted <= 1
        ? [local]
        : Array.from({ length: wanted }, () => threadChecker(context, snapshot.versions));
    let rowsOfUnit = FIRST_ROWS;
    let units = 0;
    let failed = false;
    const checkReadable = async (checker: Checker, unit: Unit): Promise<Checked> => {
      options.signal?.throwIfAborted();
      try {
        return await checker.check(unit);
      } catch (cause) {
        if (!isUnreadable(cause)) throw cause;
        unreadable = true;
        const [only] = unit.ingests;
        if (only === undefined) return unread([]);
        if (unit.ingests.length === 1) {
          // Rows of others may lie between its own, and be those that cannot be read.
          if (liesAlone(unit)) {
            unreadKeys.add(only.key);
            return unread([await unreadFault(snapshot, only, cause)]);
          }
          return await checkAlone(context, snapshot, only);
        }
        const halves: Checked[] = [];
        for (const half of halvesOf(unit, steps, calls)) halves.push(await checkReadable(checker, half));
        return sumOf(halves);
      }
    };
    const work = async (checker: Checker): Promise<void> => {
      while (!failed) {
        options.signal?.throwIfAborted();
        const unit = plan.next(rowsOfUnit);
        if (unit === undefined) return;
        const place = units++;
        const checked = await checkReadable(checker, unit);
        const rows = checked.steps + checked.toolCalls;
        const fitting = (UNIT_CHARACTERS * rows) / Math.max(1, checked.characters);
        // The next ones may hold larger values: sizes are approached, not jumped to.
        rowsOfUnit = Math.round(Math.max(16, Math.min(MOST_ROWS, 4 * rowsOfUnit, fitting)));
        add(place, checked, ingests.length);
      }
    };
    try {
      await Promise.all(
        checkers.map((checker) =>
          work(checker).catch((error: unknown) => {
            failed = true;
            throw error;
          }),
        ),
      );
    } finally {
      failed = true;
      await Promise.all(checkers.map((checker) => checker.close()));
    }
    // What lies too far apart for one piece is read by its places.
    for (let done = 0; done < plan.scattered.length; ) {
      try {
        for await (const { entry, run, steps: ownSteps, toolCalls } of readParts(
          context,
          snapshot,
          plan.scattered.slice(done),
          true,
        )) {
          options.signal?.throwIfAborted();
          const found = checkRows(context, entry, run, ownSteps, toolCalls);
          const counts = { documents: 1, steps: ownSteps.length, toolCalls: toolCalls.length };
          add(units++, { ...counts, faults: found, characters: 0 }, ingests.length);
          done += 1;
        }
      } catch (cause) {
        // Several are read at once: the first that was not given is called unreadable only if it is so alone.
        const next = plan.scattered[done];
        if (!isUnreadable(cause) || next === undefined) throw cause;
        unreadable = true;
        add(units++, await checkAlone(context, snapshot, next), ingests.length);
        done += 1;
      }
    }
    if (unreadable || damage.length > 0) damage.push(...(await brokenFiles(context)));
    const hit = await hitFiles(context, snapshot, faults.flat(), unreadKeys, ingests, {
      steps,
      tool_calls: calls,
    });
    damage.push(...hit.filter(({ file }) => !damage.some((told) => told.file === file)));
    options.signal?.throwIfAborted();
    damage.push(...(await damagedIndexes(context, snapshot)));
  };
  await guarded(context, `read the store ${context.location.shown}`, checkAll).catch((error: unknown) => {
    // Somebody's wish, not the store's failure.
    if (options.signal?.aborted === true) throw options.signal.reason;
    throw error;
  });
  return { ...totals, faults: faults.flat(), damage, notes, seconds: (performance.now() - started) / 1000 };
}
