import { formatTime } from '@pchronicle/storyline-core';
import { integerOf, optionalCount, optionalFlag, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { take } from '../lance/scan.ts';
import type { Snapshot } from '../snapshot.ts';
import type { LiveEntry } from './live-entries.ts';

/** One Storyline in a listing: who, what, how it ended, how big it is. */
export interface ListedRun {
  readonly documentKey: string;
  readonly documentId: string;
  /** Path of its source as it was given at import, else the source's id. */
  readonly source: string;
  readonly sourceId: string;
  readonly run?: string;
  readonly session: string;
  readonly attempt?: string;
  readonly format?: string;
  readonly agent: string;
  readonly model?: string;
  readonly outcome?: string;
  readonly correct?: boolean;
  readonly score?: number;
  readonly status?: string;
  readonly turns: number;
  readonly toolCalls: number;
  readonly failedToolCalls: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Earliest and latest instant, RFC 3339 in UTC. */
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly contentHash: string;
  readonly revision: number;
  readonly ingestedAt: string;
}

const LIST_COLUMNS = [
  'document_key',
  'ingest_id',
  'revision',
  'content_hash',
  'ingested_at',
  'source_id',
  'source_path',
  'source_format',
  'document_id',
  'run_id',
  'attempt_id',
  'session_id',
  'agent_id',
  'agent_model_name',
  'outcome',
  'correct',
  'score',
  'status',
  'step_count',
  'tool_call_count',
  'failed_tool_call_count',
  'prompt_tokens',
  'completion_tokens',
  'first_time',
  'last_time',
];

const CHUNK = 1_000;

/** Reads the listing of live rows, in the order of the entries. */
export async function* listRuns(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): AsyncGenerator<ListedRun> {
  const known = new Set(context.columns.runs.map((column) => column.name));
  const columns = LIST_COLUMNS.filter((name) => known.has(name));
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK);
    const rows = await guarded(context, `read the store ${context.location.shown}`, async () => {
      const byIngest = new Map<string, Row>();
      const ids = chunk.map((entry) => entry.rowId);
      for await (const page of take(snapshot.tables.runs, ids, { columns })) {
        for (const row of page) byIngest.set(textOf(row, 'ingest_id'), row);
      }
      return byIngest;
    });
    for (const entry of chunk) {
      const row = rows.get(entry.ingestId);
      if (row !== undefined) yield listedRun(row);
    }
  }
}

function listedRun(row: Row): ListedRun {
  const optional = {
    run: optionalText(row, 'run_id'),
    attempt: optionalText(row, 'attempt_id'),
    format: optionalText(row, 'source_format'),
    model: optionalText(row, 'agent_model_name'),
    outcome: optionalText(row, 'outcome'),
    correct: optionalFlag(row, 'correct'),
    score: typeof row.score === 'number' ? row.score : undefined,
    status: optionalText(row, 'status'),
    promptTokens: optionalCount(row, 'prompt_tokens'),
    completionTokens: optionalCount(row, 'completion_tokens'),
    startedAt: timeOf(row, 'first_time'),
    finishedAt: timeOf(row, 'last_time'),
  };
  return {
    documentKey: textOf(row, 'document_key'),
    documentId: textOf(row, 'document_id'),
    source: optionalText(row, 'source_path') ?? textOf(row, 'source_id'),
    sourceId: textOf(row, 'source_id'),
    session: textOf(row, 'session_id'),
    agent: textOf(row, 'agent_id'),
    turns: Number(integerOf(row, 'step_count')),
    toolCalls: Number(integerOf(row, 'tool_call_count')),
    failedToolCalls: Number(integerOf(row, 'failed_tool_call_count')),
    contentHash: textOf(row, 'content_hash'),
    revision: Number(integerOf(row, 'revision')),
    ingestedAt: formatTime(integerOf(row, 'ingested_at')),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as OnlyGiven<
      typeof optional
    >),
  };
}

type OnlyGiven<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function timeOf(row: Row, column: string): string | undefined {
  const cell = row[column];
  return typeof cell === 'bigint' ? formatTime(cell) : undefined;
}
