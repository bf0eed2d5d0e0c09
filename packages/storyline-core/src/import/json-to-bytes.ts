import type { AnyFormat } from '../format.ts';
import type { Issue } from '../issue.ts';
import { copyJson } from '../json/copy-json.ts';
import { stringifyPieces } from '../json/stringify.ts';
import { DEFAULT_LIMITS, type ImportOptions } from './events.ts';

/**
 * The UTF-8 JSON text of a value that a caller hands over as parsed JSON, so that it takes the same way as text. What is no JSON in
 * it goes to `issues`; `undefined` after an error.
 */
export function jsonToBytes(
  input: unknown,
  format: AnyFormat,
  options: ImportOptions & { readonly source?: string },
  issues: Issue[],
): Uint8Array | undefined {
  let failed = false;
  const value = copyJson(input, {
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    nonFinite: format.nonFinite ?? options.nonFinite ?? 'error',
    report(severity, code, pointer, message) {
      failed ||= severity === 'error';
      issues.push({ code, severity, message, at: { source: options.source ?? '', pointer } });
    },
  });
  if (failed) return undefined;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (const piece of stringifyPieces(value)) {
    const bytes = encoder.encode(piece);
    size += bytes.length;
    pieces.push(bytes);
  }
  const all = new Uint8Array(size);
  let filled = 0;
  for (const piece of pieces) {
    all.set(piece, filled);
    filled += piece.length;
  }
  return all;
}
