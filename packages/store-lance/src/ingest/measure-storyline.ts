import { createHash } from 'node:crypto';
import {
  canonicalPieces,
  type JsonObject,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';

/** A Storyline's content hash, and its size: the characters of its canonical JSON. */
export interface MeasuredStoryline {
  readonly hash: string;
  readonly characters: number;
}

/**
 * SHA-256 of the canonical JSON (decision G20) without the places that only name the source file: `origin.document_id` and the
 * `source_document_id` of the residual sources. The same value as core's `contentHash`, made with Node's native hash.
 */
export function measureStoryline(storyline: Storyline): MeasuredStoryline {
  const hash = createHash('sha256');
  let characters = 0;
  for (const piece of canonicalPieces(withoutSourceNames(storyline))) {
    hash.update(piece);
    characters += piece.length;
  }
  return { hash: hash.digest('hex'), characters };
}

function withoutSourceNames(storyline: Storyline): JsonObject {
  const content: { [key: string]: unknown } = { ...storylineToJson(storyline) };
  if (storyline.origin !== undefined) {
    const { document_id: _, ...origin } = storyline.origin;
    content.origin = origin;
  }
  if (storyline.unknown_fields !== undefined) {
    content.unknown_fields = {
      sources: Object.fromEntries(
        Object.entries(storyline.unknown_fields.sources).map(([source, { fields }]) => [source, { fields }]),
      ),
    };
  }
  return content as unknown as JsonObject;
}
