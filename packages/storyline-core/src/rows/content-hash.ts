import { sha256Hex } from '../hash.ts';
import { canonicalPieces } from '../json/canonical.ts';
import { type MutableJsonObject, setOwn } from '../json/value.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';

/**
 * SHA-256 of a Storyline's canonical JSON (decision G20) without the places that only name the source file, `origin.document_id`
 * and each `source_document_id` (store.md, "Identity"): equal content from two files has equal hashes.
 */
export function contentHash(storyline: Storyline): string {
  return sha256Hex(contentPieces(storyline));
}

/** The text that {@link contentHash} hashes, in pieces: for those who have a faster SHA-256 at hand. */
export function contentPieces(storyline: Storyline): Iterable<string> {
  const content: MutableJsonObject = { ...storylineToJson(storyline) };
  if (storyline.origin !== undefined) {
    const { document_id: _, ...origin } = storyline.origin;
    content.origin = { ...origin };
  }
  if (storyline.unknown_fields !== undefined) {
    const sources: MutableJsonObject = {};
    for (const [source, block] of Object.entries(storyline.unknown_fields.sources)) {
      setOwn(sources, source, { fields: block.fields });
    }
    content.unknown_fields = { sources };
  }
  return canonicalPieces(content);
}
