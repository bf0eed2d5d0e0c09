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

/** Whether bytes hold a value to its closing bracket, or break off inside a string: what a line of JSON lines does, and a line of a longer value does not. */
export function isWholeValue(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) {
      const end = skipString(bytes, position + 1);
      if (end === -1) return true;
      position = end - 1;
    } else if ((byte | 0x20) === 0x7b) depth += 1;
    else if ((byte | 0x20) === 0x7d) {
      depth -= 1;
      if (depth <= 0) return true;
    }
  }
  return depth === 0;
}
