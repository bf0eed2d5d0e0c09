import type { ListedRun } from '@pchronicle/store-lance';

/** One run of `ls --json`; what is not known is null. */
export interface RunJson {
  readonly document_key: string;
  readonly document_id: string;
  readonly source: string;
  readonly run: string | null;
  readonly session: string;
  readonly attempt: string | null;
  readonly format: string | null;
  readonly agent: string;
  readonly model: string | null;
  readonly correct: boolean | null;
  readonly score: number | null;
  readonly status: string | null;
  readonly turns: number;
  readonly tool_calls: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A listed run in the shape that scripts rely on. */
export function runJson(run: ListedRun): RunJson {
  return {
    document_key: run.documentKey,
    document_id: run.documentId,
    source: run.source,
    run: run.run ?? null,
    session: run.session,
    attempt: run.attempt ?? null,
    format: run.format ?? null,
    agent: run.agent,
    model: run.model ?? null,
    correct: run.correct ?? null,
    score: run.score ?? null,
    status: run.status ?? null,
    turns: run.turns,
    tool_calls: run.toolCalls,
    started_at: run.startedAt ?? null,
    finished_at: run.finishedAt ?? null,
  };
}
