import { charactersOf, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import type { StoreContext, Tables } from '../context.ts';
import { scan, take } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { StoredIngest } from '../read/live-entries.ts';
import { faultsOf } from './compare-rows.ts';
import type { CountedIngest, Span, Unit } from './plan-units.ts';

/** One Storyline that is not what it should be. */
export interface VerifyFault {
  readonly documentKey: string;
  readonly documentId: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** What checking some Storylines gave. */
export interface Checked {
  readonly documents: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly faults: readonly VerifyFault[];
  /** Characters of text that were read. */
  readonly characters: number;
}

/** What checking needs of a store. */
export interface Checking {
  readonly tables: Tables;
  readonly columns: StoreContext['columns'];
}

/** Rows of a batch: Lance decodes several at once for each of the scans, and their values may be large. */
const BATCH_ROWS = 256;

/**
 * Reads the Storylines of a unit, each table in physical order, side by side: what is complete is checked and let go of. Steps and calls of
 * a Storyline lie at about the same part of their tables, so little is held.
 */
export async function checkUnit(checking: Checking, unit: Unit): Promise<Checked> {
  const { tables, columns } = checking;
  const open = new Map(unit.ingests.map((ingest) => [ingest.ingestId, opened(ingest)]));
  const checked = { documents: 0, steps: 0, toolCalls: 0, faults: [] as VerifyFault[], characters: 0 };
  const read = (name: TableName, { start, end }: Span): AsyncGenerator<readonly Row[]> | undefined =>
    end === start
      ? undefined
      : scan(tables[name], {
          columns: columns[name].map((column) => column.name),
          offset: start,
          limit: end - start,
          batchRows: BATCH_ROWS,
        });
  const checkComplete = (document: Open): void => {
    const { ingest, run, steps, tool_calls: toolCalls } = document;
    if (steps.length < ingest.stepRows || toolCalls.length < ingest.callRows) return;
    open.delete(ingest.ingestId);
    checked.documents += 1;
    checked.steps += steps.length;
    checked.toolCalls += toolCalls.length;
    checked.faults.push(...checkRows(checking, ingest, run, steps, toolCalls));
  };
  const pull = async (
    reading: AsyncGenerator<readonly Row[]> | undefined,
    name: 'steps' | 'tool_calls',
  ): Promise<boolean> => {
    const page = await reading?.next();
    if (page === undefined || page.done === true) return false;
    const touched = new Set<Open>();
    for (const row of page.value) {
      checked.characters += charactersOf(row);
      const document = open.get(textOf(row, 'ingest_id'));
      if (document === undefined) continue;
      document[name].push(row);
      touched.add(document);
    }
    for (const document of touched) checkComplete(document);
    return true;
  };

  for await (const page of take(
    tables.runs,
    unit.ingests.map((ingest) => ingest.rowId),
    { columns: columns.runs.map((column) => column.name) },
  )) {
    for (const row of page) {
      checked.characters += charactersOf(row);
      const document = open.get(textOf(row, 'ingest_id'));
      if (document !== undefined) document.run = row;
    }
  }
  const steps = read('steps', unit.steps);
  const calls = read('tool_calls', unit.calls);
  // A table's part that has been read further than the other's waits for it.
  const share = (unit.calls.end - unit.calls.start) / Math.max(1, unit.steps.end - unit.steps.start);
  let ahead = 0;
  for (let more = true; more; ) {
    const moreSteps = await pull(steps, 'steps');
    let moreCalls = moreSteps;
    for (ahead += moreSteps ? share : 1; ahead >= 1 || !moreSteps; ahead -= 1) {
      moreCalls = await pull(calls, 'tool_calls');
      if (!moreCalls) break;
    }
    more = moreSteps || moreCalls;
  }
  // Nothing more comes: a Storyline without rows, or one whose rows are not where they were counted.
  for (const document of open.values()) {
    document.ingest = { ...document.ingest, stepRows: 0, callRows: 0 };
    checkComplete(document);
  }
  return checked;
}

/** Checks the rows of one Storyline, all that there are. */
export function checkRows(
  { columns }: Pick<Checking, 'columns'>,
  ingest: StoredIngest,
  run: Row | undefined,
  steps: readonly Row[],
  toolCalls: readonly Row[],
): VerifyFault[] {
  const messages =
    run === undefined ? ['its row in runs cannot be read'] : faultsOf({ columns }, { run, steps, toolCalls });
  const documentId = run === undefined ? '' : textOf(run, 'document_id');
  return messages.map((message) => ({ documentKey: ingest.key, documentId, message }));
}

/** A Storyline whose rows are coming. */
interface Open {
  ingest: CountedIngest;
  run: Row | undefined;
  readonly steps: Row[];
  readonly tool_calls: Row[];
}

function opened(ingest: CountedIngest): Open {
  return { ingest, run: undefined, steps: [], tool_calls: [] };
}
