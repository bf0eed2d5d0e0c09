import { decodeUtf8 } from './bytes.ts';

/** The text of UTF-8 bytes; `undefined` when they are no valid UTF-8. The opposite of `encodeText`. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decodeUtf8(bytes, 0, bytes.length);
  } catch {
    return undefined;
  }
}
