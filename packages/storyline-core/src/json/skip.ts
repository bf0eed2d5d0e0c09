import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, isBlank, QUOTE, skipString } from './bytes.ts';

/** The position just past the JSON value at `start`, by counting brackets; the end of `bytes` when it is not complete. */
export function skipInMemory(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let position = start;
  let depth = 0;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) {
      position = skipString(bytes, position + 1);
      if (position === -1) return end;
      if (depth === 0) return position;
      continue;
    }
    if ((byte | 0x20) === 0x7b) depth += 1;
    else if ((byte | 0x20) === 0x7d) {
      depth -= 1;
      if (depth <= 0) return depth === 0 ? position + 1 : position;
    } else if (
      depth === 0 &&
      position > start &&
      (byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isBlank(byte))
    ) {
      return position;
    }
    position += 1;
  }
  return end;
}
