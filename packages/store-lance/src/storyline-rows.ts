import {
  collectIssues,
  fromRows,
  type Json,
  type RowIdentity,
  type RunRow,
  STORYLINE_VERSION,
  type StepRow,
  type Storyline,
  type ToolCallRow,
  type Turn,
  toRows,
} from '@pchronicle/storyline-core';
import type { Column, Row } from './columns/column.ts';
import { answersOf, callText, storyText, turnText } from './find/search-text.ts';
import type { KnownRow } from './ingest/known-rows.ts';
import { tableColumns } from './table-columns.ts';
import { uuid7 } from './uuid.ts';

/** A Storyline rebuilt from its rows, or the reasons why that is impossible. */
export interface RebuiltStoryline {
  readonly storyline: Storyline | undefined;
  readonly faults: readonly string[];
}

/** The rows of one Storyline as a scan gives them. */
export interface StoredRows {
  readonly run: Row;
  readonly steps: readonly Row[];
  readonly toolCalls: readonly Row[];
}

/** Builds a Storyline from its rows. Columns that an older store does not have read as null. With `release` the lists are emptied on the way. */
export function storylineOf(
  rows: {
    readonly run: Row;
    readonly steps: Row[] | readonly Row[];
    readonly toolCalls: Row[] | readonly Row[];
  },
  release = false,
): RebuiltStoryline {
  const { report, issues } = collectIssues();
  const run = complete(rows.run, REBUILT_FROM.runs) as unknown as RunRow;
  const steps = completed(rows.steps, REBUILT_FROM.steps, release) as Iterable<unknown> as Iterable<StepRow>;
  const calls = completed(
    rows.toolCalls,
    REBUILT_FROM.tool_calls,
    release,
  ) as Iterable<unknown> as Iterable<ToolCallRow>;
  const storyline = fromRows(run, steps, calls, report);
  return {
    storyline,
    faults:
      storyline === undefined
        ? issues.map((issue) => `${issue.message} (${issue.code} at ${issue.at.pointer || 'the root'})`)
        : [],
  };
}

function* completed(
  rows: readonly Row[] | Row[],
  names: readonly string[],
  release: boolean,
): Generator<Row> {
  // What one row of a store lacks, all of its table lack.
  const missing = names.filter((name) => rows[0]?.[name] === undefined);
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row === undefined) continue;
    // The text of a long Storyline is there twice otherwise: as rows and as values.
    if (release) (rows as (Row | undefined)[])[index] = undefined;
    yield complete(row, missing);
  }
}

/** The rows of a Storyline as the store writes them: core's, and the text that search looks at. */
export interface WrittenRows {
  readonly run: Row;
  steps(): Iterable<Row>;
  toolCalls(): Iterable<Row>;
}

/** Makes the rows of a Storyline, while they are iterated. */
export function rowsOf(storyline: Storyline, identity: RowIdentity): WrittenRows {
  const made = toRows(storyline, identity);
  return {
    run: withText(made.run, storyText(storyline)),
    *steps() {
      // In the order of turns, as core makes them.
      for (const row of made.steps()) {
        const turn = storyline.turns[Number(row.turn_ordinal)];
        yield withText(row, turn === undefined ? null : turnText(turn));
      }
    },
    *toolCalls() {
      let ordinal = -1n;
      let turn: Turn | undefined;
      let answers: ReadonlyMap<string, readonly Json[]> = new Map();
      for (const row of made.toolCalls()) {
        if (row.turn_ordinal !== ordinal) {
          ordinal = row.turn_ordinal;
          turn = storyline.turns[Number(ordinal)];
          answers = turn === undefined ? new Map() : answersOf(turn);
        }
        const call = turn?.tool_calls?.[Number(row.call_index)];
        yield withText(row, call === undefined ? null : callText(call, answers.get(call.tcid) ?? []));
      }
    },
  };
}

/** Adds the text that search looks at to a row that was just made: a copy of each would be the most of the work. */
function withText(row: RunRow | StepRow | ToolCallRow, text: string | null): Row {
  const added: { [column: string]: Row[string] } = row;
  added.search_text = text;
  return added;
}

/** Columns that only repeat others: a Storyline is rebuilt without them. */
export const DERIVED_COLUMNS: ReadonlySet<string> = new Set([
  'search_text',
  'results_json',
  'has_result',
  'failed',
  'effective_kind',
  'timestamp',
  'outcome',
  'correct',
  'score',
]);

/** The other columns. */
const REBUILT_FROM = {
  runs: namesOf(tableColumns.runs),
  steps: namesOf(tableColumns.steps),
  tool_calls: namesOf(tableColumns.tool_calls),
};

function namesOf(columns: readonly Column[]): readonly string[] {
  return columns.map((column) => column.name).filter((name) => !DERIVED_COLUMNS.has(name));
}

/** Fills in null for columns that the row does not have and a Storyline is rebuilt from: those of an older store. */
function complete(row: Row, names: readonly string[]): Row {
  let filled: { [column: string]: Row[string] } | undefined;
  for (const name of names) {
    if (row[name] !== undefined) continue;
    filled ??= { ...row };
    filled[name] = null;
  }
  return filled ?? row;
}

/** The row in `runs` that says that a document is gone. It keeps the document's ids, for people and for lookups, and nothing of its content. */
export function tombstoneRow(gone: KnownRow): { readonly row: Row; readonly known: KnownRow } {
  const known: KnownRow = { ...gone, revision: gone.revision + 1n, ingestId: uuid7(), deleted: true };
  return {
    known,
    row: {
      document_key: known.key,
      ingest_id: known.ingestId,
      revision: known.revision,
      deleted: true,
      content_hash: null,
      ingested_at: now(),
      source_id: known.sourceId,
      source_document: known.sourceDocument,
      schema_version: STORYLINE_VERSION,
      document_id: known.documentId,
      storage_ordinal: 0n,
      trajectory_id_explicit: true,
      session_id: '',
      agent_id: '',
      step_count: 0n,
      tool_call_count: 0n,
      failed_tool_call_count: 0n,
    },
  };
}

/** The time in nanoseconds since 1970. */
export function now(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
