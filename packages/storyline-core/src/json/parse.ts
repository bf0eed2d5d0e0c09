import { DEFAULT_LIMITS, type Limits } from '../import/events.ts';
import type { Issue, Place } from '../issue.ts';
import { byteOrderMark, NEWLINE } from './bytes.ts';
import { parseCarefully } from './parse-carefully.ts';
import { parseFast } from './parse-fast.ts';
import type { Json } from './value.ts';

/** How {@link parseJson} reads. */
export interface ParseOptions {
  readonly limits?: Partial<Limits>;
  /** `NaN`, `Infinity`, `-Infinity`: an error (default), read as null with one warning each (decision G6), or kept as a JsonNumber of that text (decision F1). */
  readonly nonFinite?: 'error' | 'null' | 'keep';
  /** Keeps `1.0` and `1e5` apart from `1` and `100000`, as exact numbers (decision G2); default false. */
  readonly keepFloats?: boolean;
  /** Where the value stands: prefixed to every issue's pointer, added to its offset, line and column. */
  readonly base?: Partial<Place>;
}

/** What {@link parseJson} found. */
export interface ParseResult {
  /** The exact value; `undefined` if and only if an error is among the issues. */
  readonly value: Json | undefined;
  readonly issues: readonly Issue[];
}

/**
 * Parses JSON exactly (decisions G2-G6, G18): numbers keep their value and digits, strings every code unit, keys are data, limits
 * hold. Never throws for data: the issues carry code (`json/…`, `core/too-deep`, `core/value-too-large`), byte offset, line, column and pointer.
 */
export function parseJson(input: Uint8Array | string, options: ParseOptions = {}): ParseResult {
  const all = typeof input === 'string' ? encodeText(input) : input;
  const bom = byteOrderMark(all, 0, all.length);
  const bytes = bom === 0 ? all : all.subarray(bom);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const keepFloats = options.keepFloats ?? false;
  const fast = bytes.length > limits.recordBytes ? undefined : parseFast(bytes, limits, keepFloats);
  if (fast !== undefined && !fast.duplicates) return { value: fast.value, issues: [] };
  const issues: Issue[] = [];
  const {
    pointer: prefix = '',
    offset: baseOffset = 0,
    line: baseLine = 1,
    column: baseColumn = 1,
    ...rest
  } = options.base ?? {};
  if (bytes.length > limits.recordBytes) {
    const message = `a value of ${bytes.length} bytes is longer than the limit of ${limits.recordBytes} bytes`;
    issues.push({
      code: 'core/value-too-large',
      severity: 'error',
      message,
      at: { ...rest, pointer: prefix, offset: baseOffset },
    });
    return { value: undefined, issues };
  }
  let line = baseLine;
  let lineStart = 1 - baseColumn - bom;
  let counted = 0;
  const value = parseCarefully(bytes, {
    limits,
    keepFloats,
    nonFinite: options.nonFinite ?? 'error',
    report(severity, code, pointer, message, offset) {
      for (
        let next = bytes.indexOf(NEWLINE, counted);
        next !== -1 && next < offset;
        next = bytes.indexOf(NEWLINE, counted)
      ) {
        line += 1;
        lineStart = next + 1;
        counted = next + 1;
      }
      const at = {
        ...rest,
        pointer: prefix + pointer,
        offset: baseOffset + bom + offset,
        line,
        column: offset - lineStart + 1,
      };
      issues.push({ code, severity, message, at });
    },
  });
  return { value, issues };
}

/** UTF-8 of a text; a lone surrogate, which UTF-8 cannot hold, is written as the JSON escape that means the same. */
export function encodeText(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (!/\p{Surrogate}/u.test(text)) return encoder.encode(text);
  return encoder.encode(
    text.replace(
      /(\\*)(\p{Surrogate})/gu,
      (_, backslashes: string, unit: string) =>
        // After an odd number of backslashes the unit would be (part of) an illegal escape; U+FFFD is one too.
        backslashes + (backslashes.length % 2 === 1 ? '\ufffd' : `\\u${unit.charCodeAt(0).toString(16)}`),
    ),
  );
}
