import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Characters of a document key: 100 bits, so that a collision among a billion documents is out of the question. */
export const DOCUMENT_KEY_LENGTH = 20;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function shortHash(parts: readonly string[], length: number): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    // UTF-16 code units, with the length in front: lone surrogates stay different, and parts cannot run into each other.
    hash.update(`${part.length}:`);
    hash.update(Buffer.from(part, 'utf16le'));
  }
  let bits = 0;
  let held = 0;
  // Written as bytes: a text that grows by characters keeps its parts, and an import holds one for each Storyline.
  const text = Buffer.allocUnsafe(length);
  let written = 0;
  for (const byte of hash.digest()) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5 && written < length) {
      bits -= 5;
      text[written++] = alphabet.charCodeAt((held >> bits) & 31);
      held &= (1 << bits) - 1;
    }
  }
  return text.toString('latin1');
}

/**
 * The id of an input that was not named: a hash of its real path or URI, so that it depends neither on the working directory nor on a link,
 * and no absolute path is stored. A name that a user gave (`--source`) is used as it is.
 */
export function sourceIdOf(pathOrUri: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(pathOrUri)) return shortHash(['uri', pathOrUri], DOCUMENT_KEY_LENGTH);
  let real = resolve(pathOrUri);
  try {
    real = realpathSync(real);
  } catch {
    // An input that is no file (standard input, a deleted file) is known by its path alone.
  }
  return shortHash(['path', real], DOCUMENT_KEY_LENGTH);
}

/**
 * The identity of a document in the store: a short hash of the source's id and the document's id.
 * `ordinal` counts the documents of one source that share the id, from 1; it enters the hash from the second on.
 */
export function documentKeyOf(sourceId: string, documentId: string, ordinal = 1): string {
  return shortHash(
    ordinal === 1 ? [sourceId, documentId] : [sourceId, documentId, String(ordinal)],
    DOCUMENT_KEY_LENGTH,
  );
}

const MARK = '\u001f';

/**
 * Identity of the `ordinal`-th source document of an id in its source, from 1; the ordinal enters it from the second on, after a single mark.
 * A mark in the id itself stands doubled, so that no id looks like another one with an ordinal.
 */
export function sourceDocumentOf(id: string, ordinal: number): string {
  const plain = id.replaceAll(MARK, MARK + MARK);
  return ordinal === 1 ? plain : `${plain}${MARK}${ordinal}`;
}

/** The ordinal in an identity that {@link sourceDocumentOf} made: digits after an odd number of marks. */
export function ordinalOf(sourceDocument: string): number {
  const end = sourceDocument.lastIndexOf(MARK) + 1;
  let marks = 0;
  while (sourceDocument[end - 1 - marks] === MARK) marks += 1;
  return marks % 2 === 0 ? 1 : Number(sourceDocument.slice(end));
}

/** Which of `count` shares a source document belongs to (from 1): by a hash of its identity, so that its Storylines stay together. */
export function shareOf(sourceId: string, sourceDocument: string, count: number): number {
  const hash = createHash('sha256')
    .update(Buffer.from(`${sourceId}\0${sourceDocument}`, 'utf16le'))
    .digest();
  return (hash.readUInt32BE(0) % count) + 1;
}

/**
 * Which of `count` shares a rejected document belongs to (from 1), by its position in its input: it may have been rejected before anything of
 * its identity was read, and every share reads the whole input.
 */
export function rejectShareOf(sourceId: string, ordinal: number, count: number): number {
  return shareOf(sourceId, `${MARK}rejected${MARK}${ordinal}`, count);
}
