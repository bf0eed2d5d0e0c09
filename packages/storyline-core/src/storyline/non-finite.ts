import { getOwn, JsonNumber, type MutableJsonObject, setOwn } from '../json/value.ts';
import { type Storyline, storylineToJson, type UnknownFields } from '../storyline.ts';
import { countUnknownKeys } from './count-unknown-keys.ts';
import { fragileNumbers, isNumberToken } from './fragile-numbers.ts';
import { fieldsOf } from './residual.ts';
import { restoreResiduals } from './restore-residuals.ts';

/** Auxiliary source (decision G19) of a Storyline file: pointer into the Storyline → `NaN`, `Infinity` or `-Infinity`, which JSON cannot write. */
export const NUMBERS_SOURCE = 'storyline-numbers';

/**
 * The Storyline as JSON can hold it: NaN and the infinities, which some readers keep, are null, and an auxiliary source says where they
 * were. The same object when there are none.
 */
export function hideNonFinite(storyline: Storyline): Storyline {
  const numbers = [...fragileNumbers(storylineToJson(storyline), { keepFloats: true })];
  if (numbers.length === 0) return storyline;
  const result: MutableJsonObject = { ...storylineToJson(storyline) };
  const nulls = Object.fromEntries(numbers.map(([pointer]) => [pointer, null]));
  restoreResiduals(result, nulls, { mayReplace: () => true }, () => undefined);
  const hidden = result as unknown as Storyline;
  const block = { source_document_id: storyline.session, fields: Object.fromEntries(numbers) };
  return withSources(hidden, { ...hidden.unknown_fields?.sources, [NUMBERS_SOURCE]: block });
}

/** Puts the numbers back that {@link hideNonFinite} took; what does not fit stays as it is. */
export function showNonFinite(storyline: Storyline): Storyline {
  const fields = fieldsOf(storyline, NUMBERS_SOURCE);
  if (fields === undefined) return storyline;
  const numbers: MutableJsonObject = {};
  for (const pointer of Object.keys(fields)) {
    const token = getOwn(fields, pointer);
    if (!isNumberToken(token) || /\d/.test(token)) return storyline;
    setOwn(numbers, pointer, new JsonNumber(token));
  }
  const { [NUMBERS_SOURCE]: _, ...others } = storyline.unknown_fields?.sources ?? {};
  const result: MutableJsonObject = { ...storylineToJson(withSources(storyline, others)) };
  let fits = true;
  restoreResiduals(result, numbers, { createParents: false, mayReplace: () => true }, () => {
    fits = false;
  });
  return fits ? (result as unknown as Storyline) : storyline;
}

function withSources(storyline: Storyline, sources: UnknownFields['sources']): Storyline {
  const { unknown_fields: _fields, unknown_key_counts: _counts, ...rest } = storyline;
  if (Object.keys(sources).length === 0) return rest;
  return { ...rest, unknown_fields: { sources }, unknown_key_counts: countUnknownKeys({ sources }) };
}
