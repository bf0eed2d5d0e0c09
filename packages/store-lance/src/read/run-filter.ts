import { allOf, anyOf, comparesTime, equals, type Filter, oneOf } from '../lance/filter.ts';

/** Which Storylines are meant: all conditions that are given must hold; within one, any of its values. */
export interface RunFilter {
  readonly documentKeys?: readonly string[];
  /** Document ids or keys, as people type them. */
  readonly documents?: readonly string[];
  readonly sessions?: readonly string[];
  readonly runs?: readonly string[];
  readonly attempts?: readonly string[];
  /** Source ids. */
  readonly sources?: readonly string[];
  /** Source paths as they were given at import. */
  readonly sourcePaths?: readonly string[];
  readonly formats?: readonly string[];
  readonly agents?: readonly string[];
  readonly models?: readonly string[];
  readonly outcomes?: readonly string[];
  readonly correct?: boolean;
  /** Last time at or after this instant, in nanoseconds since 1970 UTC. */
  readonly since?: bigint;
  /** First time before this instant. */
  readonly until?: bigint;
}

/** The condition on `runs`; `undefined` selects everything. */
export function runCondition(filter: RunFilter): Filter | undefined {
  const any = (column: string, values: readonly string[] | undefined): Filter | undefined =>
    values === undefined ? undefined : oneOf(column, values);
  return allOf(
    any('document_key', filter.documentKeys),
    filter.documents === undefined
      ? undefined
      : anyOf(oneOf('document_id', filter.documents), oneOf('document_key', filter.documents)),
    any('session_id', filter.sessions),
    any('run_id', filter.runs),
    any('attempt_id', filter.attempts),
    any('source_id', filter.sources),
    any('source_path', filter.sourcePaths),
    any('source_format', filter.formats),
    any('agent_id', filter.agents),
    any('agent_model_name', filter.models),
    any('outcome', filter.outcomes),
    filter.correct === undefined ? undefined : equals('correct', filter.correct),
    filter.since === undefined ? undefined : comparesTime('last_time', '>=', filter.since),
    filter.until === undefined ? undefined : comparesTime('first_time', '<', filter.until),
  );
}
