import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';

/** The results that an observation holds; one of another form is a result itself. */
export function resultsOf(observation: Json | undefined): readonly Json[] {
  if (observation === undefined) return [];
  const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
  return isJsonArray(results) ? results : [observation];
}

/** The call that a result names. */
export function referenceOf(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined;
  for (const key of ['source_call_id', 'tool_call_id', 'tool_use_id']) {
    const id = getOwn(result, key);
    // In the hub's own slot an empty text is an id; in a source's it says that there is none.
    if (typeof id === 'string' && (id !== '' || key === 'source_call_id')) return id;
  }
  return undefined;
}

/** What a result says. */
export function contentOf(result: Json): Json | undefined {
  return isJsonObject(result) && Object.hasOwn(result, 'content') ? result.content : result;
}
