import { decodeUtf8 } from './bytes.ts';
import { numberFromToken } from './number.ts';
import {
  isJsonNumber,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from './value.ts';

/** Below the smallest normal double: no number that stays in the text has such a value, so these are free to stand for others. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const STEP = Number.MIN_VALUE;

/**
 * Number tokens of a text that native JSON.parse would change. Each is replaced, in the text handed to JSON.parse, by a subnormal
 * double (its 1-based position times 5e-324), and put back into the result. Every subnormal token of the source is treated as
 * exotic too, so a replacement is never taken for data, whatever the source's strings contain.
 */
export interface Exotics {
  /** Looks at the token at [start, end); positions must ascend. */
  add(start: number, end: number): void;
  /** JSON.parse of the bytes [start, end), as the content of `brackets` if they are given; ranges must ascend. */
  parse(start: number, end: number, brackets?: Brackets): Json;
}

/** An opening and a closing bracket, as bytes. */
export type Brackets = readonly [number, number];

/** More than any number takes that stands for another one. */
const LONGEST_REPLACEMENT = 24;

/** Where the bytes of a piece are put together. Kept, since JSON.parse runs nothing in between that could need it again. */
let scratch = new Uint8Array(0);
/** A bigger one is not kept. */
const MOST_SCRATCH = 1024 * 1024;

/** Collects the exotic number tokens of `bytes`. */
export function collectExotics(bytes: Uint8Array, keepFloats: boolean): Exotics {
  const bounds: number[] = [];
  const values: JsonInteger[] = [];
  /** How many of them were put back. */
  let done = 0;

  /** Copies a range with its exotic tokens replaced; gives how much was written. */
  function replaceInto(target: Uint8Array, at: number, start: number, end: number): number {
    const first = done;
    let written = at;
    let last = start;
    for (; done < values.length && (bounds[2 * done] as number) < end; done += 1) {
      const from = bounds[2 * done] as number;
      target.set(bytes.subarray(last, from), written);
      written += from - last;
      const replacement = String((done - first + 1) * STEP);
      for (let index = 0; index < replacement.length; index += 1)
        target[written + index] = replacement.charCodeAt(index);
      written += replacement.length;
      last = bounds[2 * done + 1] as number;
    }
    target.set(bytes.subarray(last, end), written);
    return written + end - last;
  }

  return {
    add(start, end) {
      const token = decodeUtf8(bytes, start, end);
      const double = Number(token);
      // A malformed token stays where it is and fails in JSON.parse.
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(token)) return;
      const value = numberFromToken(token, keepFloats);
      if (!isJsonNumber(value) && (double === 0 || Math.abs(double) >= SMALLEST_NORMAL)) return;
      bounds.push(start, end);
      values.push(value);
    },
    parse(start, end, brackets) {
      const first = done;
      let count = 0;
      while (first + count < values.length && (bounds[2 * (first + count)] as number) < end) count += 1;
      if (count === 0 && brackets === undefined) return JSON.parse(decodeUtf8(bytes, start, end)) as Json;
      // The brackets are put around the bytes: around the text, they would make V8 copy all of it once more.
      const most = end - start + 2 + count * LONGEST_REPLACEMENT;
      const target = most <= scratch.length ? scratch : new Uint8Array(most);
      if (most <= MOST_SCRATCH) scratch = target;
      let written = 0;
      if (brackets !== undefined) {
        target[0] = brackets[0];
        written = 1;
      }
      written = replaceInto(target, written, start, end);
      if (brackets !== undefined) {
        target[written] = brackets[1];
        written += 1;
      }
      const value = JSON.parse(decodeUtf8(target, 0, written)) as Json;
      return count === 0 ? value : putBack(value, values, first);
    },
  };
}

function isReplacement(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0 && value < SMALLEST_NORMAL;
}

/** Replaces the subnormal doubles of a freshly parsed value in place. */
function putBack(root: Json, values: readonly JsonInteger[], first: number): Json {
  const holder: Json[] = [root];
  const pending: (Json[] | MutableJsonObject)[] = [holder];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        const member = container[index] as Json;
        if (isReplacement(member)) container[index] = values[first + Math.round(member / STEP) - 1] as Json;
        else if (typeof member === 'object' && member !== null) pending.push(member as Json[]);
      }
      continue;
    }
    for (const key of Object.keys(container)) {
      const member = (container as JsonObject)[key] as Json;
      if (isReplacement(member))
        setOwn(container, key, values[first + Math.round(member / STEP) - 1] as Json);
      else if (typeof member === 'object' && member !== null) pending.push(member as MutableJsonObject);
    }
  }
  return holder[0] as Json;
}
