import type { Report } from '../issue.ts';
import { stringifyPieces } from '../json/stringify.ts';
import type { Json } from '../json/value.ts';
import type { UnknownFields } from '../storyline.ts';

/** Bounds on the residuals of one Storyline (storyline-v1 §8); unlimited where left out. */
export interface ResidualLimits {
  /** How many fields, of all sources together. */
  readonly fields?: number;
  /** UTF-8 bytes of every source_document_id, pointer and value (as compact JSON) together. */
  readonly bytes?: number;
}

/** The size of residuals as {@link ResidualLimits} counts it. */
export function measureResiduals(unknownFields: UnknownFields): Required<ResidualLimits> {
  let fields = 0;
  let bytes = 0;
  for (const { source_document_id, fields: ofSource } of Object.values(unknownFields.sources)) {
    bytes += utf8Length(source_document_id);
    for (const [pointer, value] of Object.entries(ofSource)) {
      fields += 1;
      bytes += utf8Length(pointer);
      for (const piece of stringifyPieces(value as Json)) bytes += utf8Length(piece);
    }
  }
  return { fields, bytes };
}

/**
 * Whether residuals keep to the limits; if not, the error `storyline/residual-limit`. Throws a RangeError for a limit that is not a
 * positive integer (0 is no limit, storyline-v1 §8).
 */
export function checkResidualLimits(
  unknownFields: UnknownFields,
  limits: ResidualLimits,
  report: Report,
  pointer = '/unknown_fields',
): boolean {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
      throw new RangeError(`the limit of residual ${name} must be a positive integer, not ${limit}`);
  }
  const size = measureResiduals(unknownFields);
  let kept = true;
  for (const unit of ['fields', 'bytes'] as const) {
    const limit = limits[unit];
    if (limit === undefined || size[unit] <= limit) continue;
    kept = false;
    report(
      'error',
      'storyline/residual-limit',
      pointer,
      `the residuals have ${size[unit]} ${unit}; the limit is ${limit}`,
    );
  }
  return kept;
}

/** Length in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A pair is two units and four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      index += 1;
    }
  }
  return length;
}
