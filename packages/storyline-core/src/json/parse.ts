import { DEFAULT_LIMITS, type Limits } from '../import/events.ts';
import type { Issue, IssueCode, Place, Severity } from '../issue.ts';
import { byteOrderMark, NEWLINE } from './bytes.ts';
import { parseCarefully } from './parse-carefully.ts';
import { parseFast } from './parse-fast.ts';
import { parsePlan } from './parse-plan.ts';
import type { Plan } from './plan.ts';
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

/** Settings of {@link parseBytes}. */
export interface ParseSettings {
  readonly limits: Limits;
  readonly nonFinite: 'error' | 'null' | 'keep';
  readonly keepFloats: boolean;
}

/** Is told of a finding: its pointer is relative to the parsed value, its offset to the parsed bytes. */
export type ParseReport = (
  severity: Severity,
  code: IssueCode,
  pointer: string,
  message: string,
  offset: number,
) => void;

/** A plan for the bytes of a value, made when they were passed; its positions count from `base` on. */
export interface KnownPlan {
  readonly plan: Plan;
  readonly base: number;
}

/**
 * Parses the bytes of one JSON value, without a byte order mark. `undefined` if and only if an error was reported. With a known plan
 * (of a scan that found no fault) they need not be scanned again.
 */
export function parseBytes(
  bytes: Uint8Array,
  settings: ParseSettings,
  report: ParseReport,
  known?: KnownPlan,
): Json | undefined {
  const { limits } = settings;
  if (bytes.length > limits.recordBytes) {
    const message = `a value of ${bytes.length} bytes is longer than the limit of ${limits.recordBytes} bytes`;
    report('error', 'core/value-too-large', '', message, 0);
    return undefined;
  }
  const { keepFloats } = settings;
  const fast = known
    ? parsePlan(bytes, known.plan, known.base, keepFloats)
    : parseFast(bytes, limits, keepFloats);
  if (fast !== undefined && !fast.duplicates) return fast.value;
  return parseCarefully(bytes, { ...settings, report });
}

/**
 * Parses JSON exactly (decisions G2-G6, G18): numbers keep their value and digits, strings every code unit, keys are data, limits
 * hold, a byte order mark is skipped. Never throws for data: the issues carry code (`json/…`, `core/too-deep`,
 * `core/value-too-large`), byte offset, line, column and pointer.
 */
export function parseJson(input: Uint8Array | string, options: ParseOptions = {}): ParseResult {
  const all = typeof input === 'string' ? encodeText(input) : input;
  const start = byteOrderMark(all, 0, all.length);
  const {
    pointer: prefix = '',
    offset: base = 0,
    line: firstLine = 1,
    column: firstColumn = 1,
    ...rest
  } = options.base ?? {};
  const issues: Issue[] = [];
  let line = firstLine;
  let lineStart = 1 - firstColumn;
  let counted = start;
  const settings: ParseSettings = {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    nonFinite: options.nonFinite ?? 'error',
    keepFloats: options.keepFloats ?? false,
  };
  const value = parseBytes(all.subarray(start), settings, (severity, code, pointer, message, relative) => {
    const offset = start + relative;
    // Findings come in ascending order, so each line break is counted once.
    for (
      let next = all.indexOf(NEWLINE, counted);
      next !== -1 && next < offset;
      next = all.indexOf(NEWLINE, counted)
    ) {
      line += 1;
      lineStart = next + 1;
      counted = next + 1;
    }
    const at = {
      ...rest,
      pointer: prefix + pointer,
      offset: base + offset,
      line,
      column: offset - lineStart + 1,
    };
    issues.push({ code, severity, message, at });
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
