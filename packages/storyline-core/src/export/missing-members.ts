import { getOwn } from '../json/value.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';
import { type Missing, missingFrom } from './missing.ts';

/** Root members that are no business of a writer: the version is given, and residuals travel by themselves. */
const ALWAYS: ReadonlySet<string> = new Set(['schema_version', 'unknown_fields', 'unknown_key_counts']);

/**
 * What of the root members of a Storyline its rereading does not give back (decision G14), in document order; what only the rereading has
 * is not missing. Members that a format looks at by itself are left out by `apart`.
 */
export function* missingMembers(
  storyline: Storyline,
  reread: Storyline | undefined,
  apart: readonly string[] = [],
): Generator<Missing> {
  const back = reread === undefined ? {} : storylineToJson(reread);
  for (const [key, value] of Object.entries(storylineToJson(storyline))) {
    if (ALWAYS.has(key) || apart.includes(key)) continue;
    yield* missingFrom(value, getOwn(back, key), { pointer: `/${key}`, pattern: `/${key}` });
  }
}
