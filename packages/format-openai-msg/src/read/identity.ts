import {
  defined,
  getOwn,
  type Json,
  type JsonObject,
  memberOf,
  type Report,
} from '@pchronicle/storyline-core';
import { DEFAULT_AGENT, RUN_KEYS } from '../keys.ts';
import type { RowPart } from './part.ts';

/** Who and what a session is (RFC-0009, derived identity). */
export interface SessionIdentity {
  readonly run?: string;
  readonly agent: string;
  /** The first model of the session. */
  readonly model?: string;
}

/** A text that is not empty. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The run that a row names: the first non-empty of run_id, run_bucket, job_id. */
export function runOf(row: JsonObject): { readonly key: string; readonly run: string } | undefined {
  for (const key of RUN_KEYS) {
    const run = textOf(getOwn(row, key));
    if (run !== undefined) return { key, run };
  }
  return undefined;
}

/** The model that a row names: agent_model, else llm_model. */
export function modelOf(row: JsonObject): string | undefined {
  return textOf(getOwn(row, 'agent_model')) ?? textOf(getOwn(row, 'llm_model'));
}

/** Derives the identity of a session; rows that name different runs are an error each. */
export function readIdentity(rows: readonly RowPart[], report: Report): SessionIdentity {
  let run: string | undefined;
  let agent: string | undefined;
  let source: string | undefined;
  let model: string | undefined;
  for (const part of rows) {
    const own = runOf(part.row);
    run ??= own?.run;
    if (own !== undefined && own.run !== run) {
      report(
        'error',
        'openai-msg/run-conflict',
        `${part.pointer}/${own.key}`,
        `${own.key} is ${JSON.stringify(own.run)}, but an earlier step of the session belongs to the run ${JSON.stringify(run)}`,
      );
    }
    agent ??= textOf(getOwn(part.row, 'agent_id'));
    source ??= textOf(memberOf(part.meta, 'source'));
    model ??= modelOf(part.row);
  }
  return defined<SessionIdentity>({ agent: agent ?? source ?? model ?? DEFAULT_AGENT, run, model });
}
