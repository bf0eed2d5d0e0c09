import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { scan, take } from '../lance/scan.ts';
import type { TableName } from '../layout.ts';
import type { Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import { differences, faultsOf } from './compare-rows.ts';
import { type LiveEntry, liveEntries } from './live-entries.ts';
import { readStories } from './read-stories.ts';

/** One Storyline that is not what it should be. */
export interface VerifyFault {
  readonly documentKey: string;
  readonly documentId: string;
  /** What was found and what was expected. */
  readonly message: string;
}

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
  /** Called now and then with the Storylines checked so far, and how many there are. */
  onProgress?(checked: number, total: number): void;
  onFault?(fault: VerifyFault): void;
}

/** Characters of half-read documents held at once; what does not fit is read by its key afterwards. */
const HELD_CHARACTERS = 96 * 1024 * 1024;
const RUNS_AT_ONCE = 200;

interface Held {
  readonly entry: LiveEntry;
  steps: Row[];
  calls: Row[];
  characters: number;
  state: 'open' | 'ready' | 'done' | 'deferred';
}

/**
 * Re-reads every Storyline and compares it with what was imported: its content hash, and every cell of every row with what the rebuilt
 * Storyline gives. One scan of each table in physical order; rows are put together by their ingest.
 */
export async function verifyStore(
  context: StoreContext,
  snapshot: Snapshot,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const started = performance.now();
  const reading = `read the store ${context.location.shown}`;
  const entries = await guarded(context, reading, () => liveEntries(snapshot, undefined));
  const held = new Map<string, Held>();
  for (const entry of entries)
    held.set(entry.ingestId, { entry, steps: [], calls: [], characters: 0, state: 'open' });
  const faults: VerifyFault[] = [];
  const totals = { documents: 0, steps: 0, toolCalls: 0 };
  let characters = 0;
  let ready: Held[] = [];

  const fault = (entry: LiveEntry, documentId: string, message: string): void => {
    const found = { documentKey: entry.key, documentId, message };
    faults.push(found);
    options.onFault?.(found);
  };
  const names = (table: TableName): string[] => context.columns[table].map((column) => column.name);

  const check = async (): Promise<void> => {
    const batch = ready;
    ready = [];
    for (let start = 0; start < batch.length; start += RUNS_AT_ONCE) {
      options.signal?.throwIfAborted();
      const some = batch.slice(start, start + RUNS_AT_ONCE);
      const runs = new Map<string, Row>();
      const ids = some.map(({ entry }) => entry.rowId);
      for await (const page of take(snapshot.tables.runs, ids, { columns: names('runs') })) {
        for (const row of page) runs.set(textOf(row, 'ingest_id'), row);
      }
      for (const document of some) {
        const { entry } = document;
        const run = runs.get(entry.ingestId);
        if (run === undefined) fault(entry, '', 'its row in runs cannot be read');
        else
          for (const message of faultsOf(context, { run, steps: document.steps, toolCalls: document.calls }))
            fault(entry, textOf(run, 'document_id'), message);
        totals.documents += 1;
        totals.steps += document.steps.length;
        totals.toolCalls += document.calls.length;
        characters -= document.characters;
        document.steps = [];
        document.calls = [];
        document.state = 'done';
      }
      options.onProgress?.(totals.documents, entries.length);
    }
  };

  const put = (row: Row, part: 'steps' | 'calls'): void => {
    const document = held.get(textOf(row, 'ingest_id'));
    if (document === undefined || document.state === 'deferred') return;
    if (document.state === 'done') {
      fault(
        document.entry,
        textOf(row, 'document_id'),
        `there are more rows of ${part === 'steps' ? 'steps' : 'tool_calls'} than its row in runs says`,
      );
      return;
    }
    document[part].push(row);
    const size = charactersOf(row);
    document.characters += size;
    characters += size;
    if (
      document.state === 'open' &&
      document.steps.length >= document.entry.steps &&
      document.calls.length >= document.entry.calls
    ) {
      document.state = 'ready';
      ready.push(document);
    }
  };

  const defer = (): void => {
    // Rows of a document lie together unless many writers or a compaction mixed them: then read the rest of it by its place.
    for (const document of held.values()) {
      if (characters <= HELD_CHARACTERS / 2) break;
      if (document.state !== 'open' || document.characters === 0) continue;
      characters -= document.characters;
      document.characters = 0;
      document.steps = [];
      document.calls = [];
      document.state = 'deferred';
    }
  };

  await guarded(context, reading, async () => {
    const batchRows = await rowsOfBatch(snapshot);
    const calls = scan(snapshot.tables.tool_calls, { columns: names('tool_calls'), batchRows })[
      Symbol.asyncIterator
    ]();
    let moreCalls = true;
    const pullCalls = async (): Promise<void> => {
      const page = await calls.next();
      if (page.done === true) moreCalls = false;
      else for (const row of page.value) put(row, 'calls');
    };
    for await (const page of scan(snapshot.tables.steps, { columns: names('steps'), batchRows })) {
      options.signal?.throwIfAborted();
      for (const row of page) {
        put(row, 'steps');
        const document = held.get(textOf(row, 'ingest_id'));
        if (document?.state === 'open' && document.steps.length === document.entry.steps) {
          // Calls are written in the order of their documents: soon after its last step a document's calls are due.
          while (moreCalls && document.state === 'open' && characters <= HELD_CHARACTERS) await pullCalls();
        }
      }
      await check();
      if (characters > HELD_CHARACTERS) defer();
    }
    while (moreCalls) {
      await pullCalls();
      await check();
      if (characters > HELD_CHARACTERS) defer();
    }
    for (const document of held.values()) {
      if (document.state !== 'open') continue;
      // Nothing more comes: what is missing now is lost. Checking says what.
      document.state = 'ready';
      ready.push(document);
    }
    await check();
  });
  const deferred = [...held.values()]
    .filter((document) => document.state === 'deferred')
    .map((document) => document.entry);
  for (const entry of deferred) {
    options.signal?.throwIfAborted();
    try {
      for await (const { storyline, parts } of readStories(context, snapshot, [entry], true)) {
        totals.documents += 1;
        totals.steps += parts.steps.length;
        totals.toolCalls += parts.toolCalls.length;
        for (const message of differences(context, parts, storyline))
          fault(entry, textOf(parts.run, 'document_id'), message);
      }
    } catch (cause) {
      if (!(cause instanceof StoreError) || cause.code !== 'store/damaged') throw cause;
      totals.documents += 1;
      fault(entry, '', cause.message);
    }
  }
  return { ...totals, faults, seconds: (performance.now() - started) / 1000 };
}

/** Rows of a batch: some megabytes of them, whatever their size, as Lance reads several batches ahead. */
async function rowsOfBatch(snapshot: Snapshot): Promise<number> {
  const { totalBytes, numRows } = await snapshot.tables.steps.stats();
  // Compressed bytes on disk; text is some four times that.
  const bytes = (4 * totalBytes) / Math.max(1, numRows);
  return Math.round(Math.min(1024, Math.max(32, (1024 * 1024) / Math.max(1, bytes))));
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (const cell of Object.values(row)) if (typeof cell === 'string') characters += cell.length;
  return characters;
}
