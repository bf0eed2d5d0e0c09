import { getOwn, type Json, type JsonObject, type MutableJsonObject } from '../json/value.ts';
import type { StorylineHead, UnknownFields, UnknownKeyCounts } from '../storyline.ts';
import { countUnknownKeys } from './count-unknown-keys.ts';

/** Gathers the residuals of one source document while its reader walks it. */
export interface ResidualBuilder {
  /** Keeps the value found at an RFC 6901 pointer of the source document; the last of two at one pointer wins. */
  add(pointer: string, value: Json): void;
  /** How many residuals there are. */
  readonly size: number;
  /** The two root members of a Storyline; `undefined` when nothing was added, so that it can be spread: `...residuals.build()`. */
  build():
    | { readonly unknown_fields: UnknownFields; readonly unknown_key_counts: UnknownKeyCounts }
    | undefined;
}

/** Starts the residuals of one source (`actf`, `openai-msg`, …) found in the document with this id (storyline-v1 §8). */
export function residuals(source: string, documentId: string): ResidualBuilder {
  const fields = new Map<string, Json>();
  return {
    add(pointer, value) {
      fields.set(pointer, value);
    },
    get size() {
      return fields.size;
    },
    build() {
      if (fields.size === 0) return undefined;
      const block = {
        source_document_id: documentId,
        fields: Object.fromEntries(fields) as MutableJsonObject,
      };
      const unknown_fields: UnknownFields = { sources: Object.fromEntries([[source, block]]) };
      return { unknown_fields, unknown_key_counts: countUnknownKeys(unknown_fields) };
    },
  };
}

/** The residual fields of one source of a Storyline; `undefined` when it has none. */
export function fieldsOf(
  head: Pick<StorylineHead, 'unknown_fields'>,
  source: string,
): JsonObject | undefined {
  const sources = head.unknown_fields?.sources;
  if (sources === undefined || !Object.hasOwn(sources, source)) return undefined;
  return sources[source]?.fields;
}

/** Whether a text is an RFC 6901 pointer: empty, or starting with `/`, with `~` only as `~0` and `~1`. */
export function isPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !/~(?![01])/.test(text));
}

/** The residual at one pointer of one source; `undefined` when there is none. */
export function residualAt(
  head: Pick<StorylineHead, 'unknown_fields'>,
  source: string,
  pointer: string,
): Json | undefined {
  const fields = fieldsOf(head, source);
  return fields === undefined ? undefined : getOwn(fields, pointer);
}
