import {
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';

/** What `--carry` left: the reader uses it up, and the residuals beside it that spell its numbers. */
const CARRIED = 'storyline';

/**
 * Normalisation 13: what the `_storyline` envelope binds to rows of one session is bound to the first of them (decision G13).
 * `sessions` are the positions of the rows of each session. `undefined` when nothing is bound.
 */
export function normaliseEnvelope(
  envelope: Json | undefined,
  sessions: Iterable<readonly number[]>,
): JsonObject | undefined {
  const bound = member(member(envelope, 'unknown_fields'), 'by_trajectory');
  const carriers: MutableJsonObject = {};
  for (const rows of sessions) {
    const sources: MutableJsonObject = {};
    for (const row of rows) {
      const own = member(member(bound, carrierOf(row)), 'sources');
      for (const source of Object.keys(own)) {
        if (Object.hasOwn(own, CARRIED) && (source === CARRIED || source === `${CARRIED}-numbers`)) continue;
        const fields: MutableJsonObject = { ...member(member(sources, source), 'fields') };
        const block = member(own, source);
        for (const [pointer, value] of Object.entries(member(block, 'fields')))
          setOwn(fields, pointer, value);
        if (Object.keys(fields).length > 0) setOwn(sources, source, { ...block, fields });
      }
    }
    if (Object.keys(sources).length > 0)
      carriers[carrierOf(rows.reduce((left, right) => Math.min(left, right)))] = { sources };
  }
  if (Object.keys(carriers).length === 0) return undefined;
  return { unknown_fields: { version: 1, by_trajectory: carriers } };
}

function carrierOf(row: number): string {
  return `/session_steps/${row}`;
}

function member(value: Json | undefined, key: string): JsonObject {
  const found = isJsonObject(value) ? getOwn(value, key) : undefined;
  return isJsonObject(found) ? found : {};
}
