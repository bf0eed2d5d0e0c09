import { availableParallelism } from 'node:os';
import { guarded, type StoreContext } from '../context.ts';
import { readParts } from '../read/read-parts.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Checked, checkRows, checkUnit, type VerifyFault } from './check-unit.ts';
import { type Checker, threadChecker } from './checkers.ts';
import { liveIngests } from './live-ingests.ts';
import { planUnits } from './plan-units.ts';
import { rowSpans } from './row-spans.ts';

export type { VerifyFault } from './check-unit.ts';

/** What verifying found. */
export interface VerifyReport {
  /** Storylines checked. */
  readonly documents: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly faults: readonly VerifyFault[];
  readonly seconds: number;
}

/** Options of verifying. */
export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** Threads that check besides this one, each in some 70 MB; default two where there are two processors. 1: this one checks, as it does a small store. */
  readonly threads?: number;
  /** Called now and then with the Storylines checked so far, and how many there are. */
  onProgress?(checked: number, total: number): void;
  onFault?(fault: VerifyFault): void;
}

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
    const ingests = await liveIngests(snapshot);
    const steps = await rowSpans(snapshot.tables.steps, ingests);
    const calls = await rowSpans(snapshot.tables.tool_calls, ingests);
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
    const work = async (checker: Checker): Promise<void> => {
      while (!failed) {
        options.signal?.throwIfAborted();
        const unit = plan.next(rowsOfUnit);
        if (unit === undefined) return;
        const place = units++;
        const checked = await checker.check(unit);
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
    for await (const { entry, run, steps: ownSteps, toolCalls } of readParts(
      context,
      snapshot,
      plan.scattered,
      true,
    )) {
      options.signal?.throwIfAborted();
      const found = checkRows(context, entry, run, ownSteps, toolCalls);
      const counts = { documents: 1, steps: ownSteps.length, toolCalls: toolCalls.length };
      add(units++, { ...counts, faults: found, characters: 0 }, ingests.length);
    }
  };
  await guarded(context, `read the store ${context.location.shown}`, checkAll).catch((error: unknown) => {
    // Somebody's wish, not the store's failure.
    if (options.signal?.aborted === true) throw options.signal.reason;
    throw error;
  });
  return { ...totals, faults: faults.flat(), seconds: (performance.now() - started) / 1000 };
}
