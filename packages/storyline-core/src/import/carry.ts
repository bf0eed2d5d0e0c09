import type { RecordValue } from '../format.ts';
import { hashJson } from '../hash.ts';
import { collectIssues, type Report } from '../issue.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import {
  getOwn,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import { isNumberToken } from '../storyline/fragile-numbers.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { NUMBERS_SOURCE } from '../storyline/non-finite.ts';
import { restoreResiduals } from '../storyline/restore-residuals.ts';
import { validateStoryline } from '../storyline/validate.ts';
import { type ResidualSource, type Storyline, storylineToJson } from '../storyline.ts';

/** Source name of the members that `--carry` puts into the envelope (decisions G14, G19). */
export const CARRY_SOURCE = 'storyline';

const DIGEST_PREFIX = 'sha256:';

/** The digest of a document's root members (without records and envelope) and the values of one record, in the order in which a reader gets them. */
export function hostDigest(root: JsonObject, valueHashes: readonly string[]): string {
  return DIGEST_PREFIX + hashJson([root, valueHashes]);
}

/** Hashes the values of a record while its reader pulls them. */
export interface HashedValues {
  values(): Iterable<RecordValue>;
  /** The hashes of all values; what the reader did not pull is pulled now. */
  hashes(): readonly string[];
}

/** Wraps the values of a record that has a carried block. */
export function hashedValues(values: Iterable<RecordValue>): HashedValues {
  const iterator = values[Symbol.iterator]();
  const hashes: string[] = [];
  const pull = (): IteratorResult<RecordValue> => {
    const next = iterator.next();
    if (next.done !== true) hashes.push(hashJson(next.value.value));
    return next;
  };
  return {
    *values() {
      for (let next = pull(); next.done !== true; next = pull()) yield next.value;
    },
    hashes() {
      while (pull().done !== true);
      return hashes;
    },
  };
}

/** What `--carry` left for one Storyline: its members, and the numbers in them that the format does not read as they are. */
export interface Carried extends ResidualSource {
  /** Pointer into the Storyline → token of the number there. */
  readonly numbers: JsonObject;
}

/** Takes what `--carry` left out of the blocks of a carrier. */
export function takeCarried(sources: ResidualSources): {
  readonly carried: Carried | undefined;
  readonly others: ResidualSources;
} {
  const block = Object.hasOwn(sources, CARRY_SOURCE) ? sources[CARRY_SOURCE] : undefined;
  if (block === undefined) return { carried: undefined, others: sources };
  const { [CARRY_SOURCE]: _block, [NUMBERS_SOURCE]: numbers, ...others } = sources;
  return { carried: { ...block, numbers: numbers?.fields ?? {} }, others };
}

/**
 * Puts carried members in the place of what was read (decision G14), if the host part is as it was written: `digest` is the
 * {@link hostDigest} of what was read. Else, or when the members make no valid Storyline, the Storyline stays as it was read, with
 * the warning `core/carry-ignored`.
 */
export function applyCarried(
  storyline: Storyline,
  carried: Carried,
  digest: string,
  report: Report,
): Storyline {
  const ignore = (why: string): Storyline => {
    report(
      'warning',
      'core/carry-ignored',
      `/${ENVELOPE_KEY}`,
      `what --carry left in ${ENVELOPE_KEY} is ignored: ${why}`,
    );
    return storyline;
  };
  if (carried.source_document_id !== digest) {
    return ignore('the document was edited after it was written, so it stands as it is');
  }
  const members = new Map<string, Json>();
  for (const pointer of Object.keys(carried.fields)) {
    const [name, ...inner] = parsePointer(pointer) ?? [];
    if (name === undefined || inner.length > 0)
      return ignore(`${pointer} does not name a member of a Storyline`);
    members.set(name, getOwn(carried.fields, pointer) ?? null);
  }
  const numbers: MutableJsonObject = {};
  for (const pointer of Object.keys(carried.numbers)) {
    const token = getOwn(carried.numbers, pointer);
    if (!isNumberToken(token)) return ignore(`what it holds for ${pointer} is not the text of a number`);
    setOwn(numbers, pointer, new JsonNumber(token));
  }
  const result: MutableJsonObject = {};
  for (const [name, value] of [...Object.entries(storylineToJson(storyline)), ...members])
    setOwn(result, name, value);
  for (const [name, value] of members) {
    if (value === null && !Object.hasOwn(numbers, appendPointer('', name))) delete result[name];
  }
  const { report: judge, issues } = collectIssues();
  restoreResiduals(result, numbers, { createParents: false, mayReplace: () => true }, judge);
  const valid = issues.length > 0 ? undefined : validateStoryline(result as unknown as Storyline, judge);
  return valid ?? ignore(`its members make no valid Storyline (${issues[0]?.message ?? ''})`);
}
