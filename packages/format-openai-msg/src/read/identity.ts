import { defined, type JsonObject, memberOf, type Report } from '@pchronicle/storyline-core';
import { DEFAULT_AGENT, RUN_KEYS } from '../keys.ts';
import { textOf } from '../values.ts';
import type { RowPart } from './part.ts';

/** Who and what a session is (RFC-0009, derived identity). */
export interface SessionIdentity {
  readonly run?: string;
  readonly agent: string;
  /** The first model of the session. */
  readonly model?: string;
}

/** The model that a row names: agent_model, else llm_model. */
export function modelOf(row: JsonObject): string | undefined {
  return textOf(memberOf(row, 'agent_model')) ?? textOf(memberOf(row, 'llm_model'));
}

/** Derives the identity of a session; rows that name different runs are an error each. */
export function readIdentity(rows: readonly RowPart[], report: Report): SessionIdentity {
  let run: string | undefined;
  let agent: string | undefined;
  let source: string | undefined;
  let model: string | undefined;
  for (const part of rows) {
    const key = RUN_KEYS.find((one) => textOf(memberOf(part.row, one)) !== undefined);
    const own = key && (part.row[key] as string);
    run ??= own;
    if (own !== undefined && own !== run) {
      const message = `${key} is ${JSON.stringify(own)}, but an earlier step belongs to the run ${JSON.stringify(run)}`;
      report('error', 'openai-msg/run-conflict', `${part.pointer}/${key}`, message);
    }
    agent ??= textOf(memberOf(part.row, 'agent_id'));
    source ??= textOf(memberOf(part.meta, 'source'));
    model ??= modelOf(part.row);
  }
  return defined<SessionIdentity>({ agent: agent ?? source ?? model ?? DEFAULT_AGENT, run, model });
}
