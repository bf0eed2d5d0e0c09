import {
  type JsonObject,
  type MutableJsonObject,
  type residuals,
  type Storyline,
  setOwn,
} from '@pchronicle/storyline-core';
import { LAYOUT_POINTER, LAYOUT_SOURCE } from './vocabulary.ts';

/** The residuals with the layout beside them, counted. */
export function joinLayout(
  kept: ReturnType<ReturnType<typeof residuals>['build']>,
  layout: JsonObject | undefined,
  documentId: string,
): Partial<Storyline> {
  if (layout === undefined) return kept ?? {};
  const sources: { [name: string]: { source_document_id: string; fields: JsonObject } } = {};
  for (const [name, block] of Object.entries(kept?.unknown_fields.sources ?? {})) sources[name] = block;
  const fields: MutableJsonObject = {};
  setOwn(fields, LAYOUT_POINTER, layout);
  sources[LAYOUT_SOURCE] = { source_document_id: documentId, fields };
  return {
    unknown_fields: { sources },
    unknown_key_counts: { ...kept?.unknown_key_counts, [LAYOUT_SOURCE]: { [LAYOUT_POINTER]: 1 } },
  };
}
