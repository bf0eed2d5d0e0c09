import type { Report } from '../issue.ts';
import { equalJson } from '../json/equal.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, type JsonObject, type MutableJsonObject, setOwn } from '../json/value.ts';
import type { ResidualSource, UnknownFields } from '../storyline.ts';

/** Source blocks by source name, as `unknown_fields` and envelope carriers hold them. */
export type ResidualSources = UnknownFields['sources'];

/**
 * Adds source blocks to the residuals of a Storyline (storyline-v1 §9). A new source is added; an equal value at one
 * pointer is kept once. Reported as errors, at `pointer` + source (+ residual pointer): `storyline/residual-document-conflict`
 * for two document ids of one source, `storyline/residual-conflict` for two values at one pointer. `undefined` after an error.
 */
export function mergeUnknownFields(
  base: UnknownFields | undefined,
  added: ResidualSources,
  report: Report,
  pointer = '/unknown_fields/sources',
): UnknownFields | undefined {
  let failed = false;
  const sources: MutableJsonObject = {};
  const before: ResidualSources = base?.sources ?? {};
  for (const source of Object.keys(before)) setOwn(sources, source, blockJson(before[source]));
  for (const source of Object.keys(added)) {
    const block = added[source];
    if (block === undefined || Object.keys(block.fields).length === 0) continue;
    const known = getOwn(sources, source) as unknown as ResidualSource | undefined;
    if (known === undefined) {
      setOwn(sources, source, blockJson(block));
      continue;
    }
    if (known.source_document_id !== block.source_document_id) {
      failed = true;
      report(
        'error',
        'storyline/residual-document-conflict',
        appendPointer(pointer, source),
        `residuals of ${source} name the document ${JSON.stringify(block.source_document_id)}, but those the story already has name ${JSON.stringify(known.source_document_id)}`,
      );
      continue;
    }
    const fields: MutableJsonObject = { ...known.fields };
    for (const key of Object.keys(block.fields)) {
      const value = getOwn(block.fields, key) ?? null;
      const present = getOwn(fields, key);
      if (present === undefined) {
        setOwn(fields, key, value);
      } else if (!equalJson(present, value)) {
        failed = true;
        report(
          'error',
          'storyline/residual-conflict',
          appendPointer(pointer, source, 'fields', key),
          `two different residuals of ${source} claim the pointer ${key}; equal values would be kept once`,
        );
      }
    }
    setOwn(sources, source, { source_document_id: known.source_document_id, fields });
  }
  return failed ? undefined : { sources: sources as unknown as ResidualSources };
}

function blockJson(block: ResidualSource | undefined): JsonObject {
  return block as unknown as JsonObject;
}
