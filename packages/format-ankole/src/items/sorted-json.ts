import {
  compareText,
  encodeText,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  stringify,
} from '@pchronicle/storyline-core';

/** Encoded values above this many bytes are cut (notes §2.3). */
const LARGEST = 65_536;
/** How much of the text a cut keeps, marker included. */
const WINDOW = 32_256;
const MARKER = '...[truncated]';

/** A value as JSON text without spaces and with keys in byte order, as Ankole encodes it. */
export function sortedJson(value: Json): string {
  return stringify(sortKeys(value));
}

/** The same, cut to a preview where it is too large; says whether it was. */
export function boundedJson(value: Json): { readonly text: string; readonly truncated: boolean } {
  const text = sortedJson(value);
  // No character takes more than three bytes a code unit.
  if (text.length * 3 <= LARGEST) return { text, truncated: false };
  const bytes = encodeText(text);
  if (bytes.length <= LARGEST) return { text, truncated: false };
  const half = (WINDOW - MARKER.length) / 2;
  const preview = headOf(bytes, Math.ceil(half)) + MARKER + tailOf(bytes, Math.floor(half));
  return { text: stringify({ preview, truncated: true }), truncated: true };
}

const decoder = new TextDecoder();

/** The longest beginning of at most so many bytes that ends between characters. */
function headOf(bytes: Uint8Array, most: number): string {
  let end = most;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return decoder.decode(bytes.subarray(0, end));
}

/** The longest end of at most so many bytes that starts between characters. */
function tailOf(bytes: Uint8Array, most: number): string {
  let start = bytes.length - most;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return decoder.decode(bytes.subarray(start));
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** A container that is copied, and its copy so far. */
type Copied =
  | { readonly from: readonly Json[]; readonly copy: Json[] }
  | { readonly from: JsonObject; readonly copy: MutableJsonObject };

/** A copy with the keys of every object in order (of their bytes, by default); an explicit stack, because nesting is the input's choice. */
export function sortKeys(root: Json, compare: (left: string, right: string) => number = compareText): Json {
  const pending: Copied[] = [];
  const copyOf = (value: Json): Json => {
    if (isJsonArray(value)) {
      const copy: Json[] = [];
      pending.push({ from: value, copy });
      return copy;
    }
    if (!isJsonObject(value)) return value;
    const copy: MutableJsonObject = {};
    pending.push({ from: value, copy });
    return copy;
  };
  const sorted = copyOf(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isCopiedArray(next)) for (const element of next.from) next.copy.push(copyOf(element));
    else
      for (const key of Object.keys(next.from).sort(compare))
        setOwn(next.copy, key, copyOf(getOwn(next.from, key) ?? null));
  }
  return sorted;
}

function isCopiedArray(copied: Copied): copied is Extract<Copied, { readonly copy: Json[] }> {
  return Array.isArray(copied.copy);
}
