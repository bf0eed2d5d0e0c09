import { type MutableJsonObject, type Source, setOwn } from '@pchronicle/storyline-core';
import { parsePythonJson } from '../python/parse.ts';

/** Thrown inside of this folder only: the input is not laid out as one artifact, and the ordinary way of reading says why. */
export class NotOneArtifact extends Error {}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const CHUNK = 256 * 1024;
const MOST = 64 * 1024 * 1024;

/** What of a source is in memory. */
interface Held {
  readonly source: Source;
  bytes: Uint8Array;
  /** Bytes of `bytes` that are filled. */
  length: number;
  /** The next byte to look at. */
  at: number;
  position: number;
  ended: boolean;
}

/**
 * The texts of an artifact's events, some at a time, without ever holding the document; the other root fields go into `head` as they
 * come. Throws {@link NotOneArtifact} for anything that is not one JSON object with one list of events.
 */
export async function* eventBatches(
  source: Source,
  head: MutableJsonObject,
): AsyncGenerator<readonly string[]> {
  const held: Held = { source, bytes: new Uint8Array(CHUNK), length: 0, at: 0, position: 0, ended: false };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (start: number, end: number): string => {
    try {
      return decoder.decode(held.bytes.subarray(start, end));
    } catch {
      throw new NotOneArtifact();
    }
  };
  await expect(held, OPEN_OBJECT);
  for (let first = true; ; first = false) {
    if ((await peek(held)) === CLOSE_OBJECT) break;
    if (!first) await expect(held, COMMA);
    if ((await peek(held)) !== QUOTE) throw new NotOneArtifact();
    const [start, end] = await valueRange(held);
    const key = parsed(decode(start, end));
    await expect(held, COLON);
    if (typeof key !== 'string' || Object.hasOwn(head, key)) throw new NotOneArtifact();
    if (key !== 'events' || (await peek(held)) !== OPEN_ARRAY) {
      const [from, to] = await valueRange(held);
      setOwn(head, key, parsed(decode(from, to)));
      continue;
    }
    setOwn(head, key, []);
    held.at += 1;
    if ((await peek(held)) === CLOSE_ARRAY) {
      held.at += 1;
      continue;
    }
    let batch: string[] = [];
    for (let separator = COMMA; separator === COMMA; ) {
      const before = held.position;
      const [from, to] = await valueRange(held);
      batch.push(decode(from, to));
      separator = await take(held);
      if (separator !== COMMA && separator !== CLOSE_ARRAY) throw new NotOneArtifact();
      if (held.position !== before || separator === CLOSE_ARRAY) {
        yield batch;
        batch = [];
      }
    }
  }
  held.at += 1;
  if ((await peek(held)) !== -1) throw new NotOneArtifact();
}

function parsed(text: string) {
  const result = parsePythonJson(text);
  if ('fault' in result) throw new NotOneArtifact();
  return result.value;
}

/** The next byte that is no white space, without passing it; -1 at the end. */
async function peek(held: Held): Promise<number> {
  for (;;) {
    while (held.at < held.length) {
      const byte = held.bytes[held.at] ?? 0;
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return byte;
      held.at += 1;
    }
    if (!(await more(held, held.at))) return -1;
  }
}

async function take(held: Held): Promise<number> {
  const byte = await peek(held);
  held.at += 1;
  return byte;
}

async function expect(held: Held, byte: number): Promise<void> {
  if ((await take(held)) !== byte) throw new NotOneArtifact();
}

/** Passes one value; gives where it lies in `bytes`, valid until the next call. */
async function valueRange(held: Held): Promise<readonly [number, number]> {
  await peek(held);
  for (;;) {
    const end = endOfValue(held);
    if (end !== undefined) {
      const start = held.at;
      held.at = end;
      return [start, end];
    }
    if (!(await more(held, held.at))) throw new NotOneArtifact();
  }
}

/** Where the value at `at` ends, or `undefined` when its end is not held. Brackets are only counted: whoever parses the text sees the rest. */
function endOfValue({ bytes, length, at, ended }: Held): number | undefined {
  let depth = 0;
  for (let index = at; index < length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      const close = closingQuote(bytes, index + 1, length);
      if (close === undefined) return undefined;
      index = close;
      if (depth === 0) return index + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return index + 1;
      if (depth < 0) return index;
    } else if (byte === COMMA && depth === 0) return index;
  }
  return ended && depth === 0 ? length : undefined;
}

function closingQuote(bytes: Uint8Array, from: number, length: number): number | undefined {
  for (
    let close = bytes.indexOf(QUOTE, from);
    close !== -1 && close < length;
    close = bytes.indexOf(QUOTE, close + 1)
  ) {
    let before = close - 1;
    while (before >= from && bytes[before] === BACKSLASH) before -= 1;
    if ((close - 1 - before) % 2 === 0) return close;
  }
  return undefined;
}

/** Reads on, keeping the bytes from `keep` on; false at the end. */
async function more(held: Held, keep: number): Promise<boolean> {
  const kept = held.length - keep;
  if (kept > MOST) throw new NotOneArtifact();
  // A value longer than half of what fits gets more room, so that looking for its end again stays cheap.
  const target = kept > held.bytes.length / 2 ? new Uint8Array(held.bytes.length * 2) : held.bytes;
  target.set(held.bytes.subarray(keep, held.length));
  held.bytes = target;
  held.length = kept;
  held.at -= keep;
  const { source, position } = held;
  const room = target.subarray(kept);
  const read = source.readSync?.(room, position) ?? (await source.read(room, position));
  held.length += read;
  held.position += read;
  held.ended = read === 0;
  return read > 0;
}
