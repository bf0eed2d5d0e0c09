import {
  bytesSource,
  type Head,
  isJsonObject,
  parseJson,
  readHead,
  type Source,
} from '@pchronicle/storyline-core';

/** So many lines are looked at, the first of them included, as far as they stand in so many bytes. */
const MOST_LINES = 32;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The head of an input of lines as it would be if a later line were its first: for each of the lines behind the first that is an intact
 * object. A broken line, a comment or a header in front takes the others with it else.
 */
export async function* laterHeads(head: Head, source: Source): AsyncGenerator<Head> {
  const isNamed = /\.(jsonl|ndjson)$/i.test(head.name ?? '');
  if (head.shape !== 'lines' && !(head.shape === 'text' && isNamed)) return;
  const bytes = await firstBytes(source, MOST_BYTES);
  let line = 0;
  for (let start = 0, end = 0; start < bytes.length && line < MOST_LINES; start = end + 1) {
    end = endOfValue(bytes, start);
    // What the limit cuts off is no line.
    if (end === -1 && bytes.length < source.size) return;
    if (end === -1) end = bytes.length;
    const text = bytes.subarray(start, end);
    if (text.every((byte) => byte <= 0x20)) continue;
    line += 1;
    if (line === 1 || !isJsonObject(parseJson(text).value)) continue;
    const { sketch } = await readHead(bytesSource('', text));
    yield { ...head, shape: 'lines', sketch };
  }
}

/** Where the line at `start` ends, or the value that is printed over several lines, of which it is a brace alone; -1 for the end of the bytes. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const newline = bytes.indexOf(0x0a, start);
  if (newline === -1 || Buffer.from(bytes.subarray(start, newline)).toString().trim() !== '{') return newline;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('\n{', newline);
}

/** The first bytes of a source; all of a short one. */
export async function firstBytes(source: Source, most: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(source.size, most));
  let at = 0;
  while (at < bytes.length) {
    const got = await source.read(bytes.subarray(at), at);
    if (got === 0) break;
    at += got;
  }
  return bytes.subarray(0, at);
}
