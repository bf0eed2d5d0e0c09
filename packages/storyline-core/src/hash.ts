import { sha256 } from './generated/sha256.generated.ts';
import { canonicalPieces } from './json/canonical.ts';
import type { Json } from './json/value.ts';

/** What the bundled SHA-256 offers of itself (@noble/hashes). */
interface Sha256 {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/**
 * SHA-256 of text as UTF-8, in lower-case hex. Pieces are hashed as they come, the whole text is never in memory.
 * A surrogate pair may be cut by two pieces; a lone surrogate hashes as U+FFFD (exact JSON text has none: it escapes them).
 */
export function sha256Hex(pieces: Iterable<string> | string): string {
  const hash = sha256.create() as Sha256;
  const encoder = new TextEncoder();
  let held = '';
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    let text = held + piece;
    held = '';
    if (/[\uD800-\uDBFF]$/.test(text)) {
      held = text.slice(-1);
      text = text.slice(0, -1);
    }
    hash.update(encoder.encode(text));
  }
  if (held !== '') hash.update(encoder.encode(held));
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256 of a value's canonical JSON (decision G20), in lower-case hex: equal values have equal hashes. */
export function hashJson(value: Json): string {
  return sha256Hex(canonicalPieces(value));
}
