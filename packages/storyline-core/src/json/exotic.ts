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
  /** Whether a token that starts before `end` is waiting. */
  before(end: number): boolean;
  /** JSON.parse of `prefix` + the bytes [start, end) + `suffix`, with the waiting tokens before `end` put back. */
  parse(prefix: string, start: number, end: number, suffix: string): Json;
}

/** Collects the exotic number tokens of `bytes`. */
export function collectExotics(bytes: Uint8Array, keepFloats: boolean): Exotics {
  let bounds: number[] = [];
  let values: JsonInteger[] = [];
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
    before: (end) => bounds.length > 0 && (bounds[0] as number) < end,
    parse(prefix, start, end, suffix) {
      if (bounds.length === 0 || (bounds[0] as number) >= end)
        return JSON.parse(prefix + decodeUtf8(bytes, start, end) + suffix);
      let text = prefix;
      let last = start;
      let count = 0;
      for (; count < values.length; count += 1) {
        const from = bounds[2 * count] as number;
        if (from >= end) break;
        text += `${decodeUtf8(bytes, last, from)}${(count + 1) * STEP}`;
        last = bounds[2 * count + 1] as number;
      }
      text += decodeUtf8(bytes, last, end) + suffix;
      const value = putBack(JSON.parse(text) as Json, values);
      bounds = bounds.slice(2 * count);
      values = values.slice(count);
      return value;
    },
  };
}

function isReplacement(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0 && value < SMALLEST_NORMAL;
}

/** Replaces the subnormal doubles of a freshly parsed value in place. */
function putBack(root: Json, values: readonly JsonInteger[]): Json {
  const holder: Json[] = [root];
  const pending: (Json[] | MutableJsonObject)[] = [holder];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        const member = container[index] as Json;
        if (isReplacement(member)) container[index] = values[Math.round(member / STEP) - 1] as Json;
        else if (typeof member === 'object' && member !== null) pending.push(member as Json[]);
      }
      continue;
    }
    for (const key of Object.keys(container)) {
      const member = (container as JsonObject)[key] as Json;
      if (isReplacement(member)) setOwn(container, key, values[Math.round(member / STEP) - 1] as Json);
      else if (typeof member === 'object' && member !== null) pending.push(member as MutableJsonObject);
    }
  }
  return holder[0] as Json;
}
