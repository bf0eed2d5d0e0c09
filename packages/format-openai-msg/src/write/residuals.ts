import {
  appendPointer,
  fieldsOf,
  formatPointer,
  type JsonObject,
  parsePointer,
  type Report,
  type Severity,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from '../keys.ts';
import type { Extra } from '../message/view.ts';

/** The residuals of one row, by what they go into: the row itself (`''`), a message (`/messages/3`), or the response (`/response`); pointers inside of that. */
export type RowResiduals = ReadonlyMap<string, readonly Extra[]>;

/** The source document that a Storyline came from; `undefined` when that was none of rows (decision O17). */
export function sourceDocumentOf(head: Pick<StorylineHead, 'origin' | 'unknown_fields'>): string | undefined {
  for (const source of [SOURCE, LAYOUT_SOURCE]) {
    if (fieldsOf(head, source) !== undefined) return head.unknown_fields?.sources[source]?.source_document_id;
  }
  return head.origin?.format === SOURCE ? (head.origin.document_id ?? '') : undefined;
}

/** Residuals of a document's root members: key pointer → value. */
export function rootResiduals(head: Pick<StorylineHead, 'unknown_fields'>): JsonObject {
  return Object.fromEntries(
    Object.entries(fieldsOf(head, SOURCE) ?? {}).filter(([pointer]) => tokensIn(pointer) === undefined),
  );
}

/** Where a residual stands in a Storyline. */
export function residualPlace(pointer: string): string {
  return appendPointer('/unknown_fields/sources', SOURCE, 'fields', pointer);
}

/** The tokens of a pointer behind the member that holds the rows; `undefined` for a pointer to another member. */
function tokensIn(pointer: string): readonly string[] | undefined {
  const [member, ...tokens] = parsePointer(pointer) ?? [];
  return member === ROWS_MEMBER ? tokens : undefined;
}

/**
 * How much a residual without a place matters: an error for a Storyline that came from rows (decision G12), a loss for one that another
 * format has reshaped since.
 */
function misplacedSeverity(head: Pick<StorylineHead, 'origin'>): Severity {
  return (head.origin?.format ?? SOURCE) === SOURCE ? 'error' : 'loss';
}

/** Tells of residuals that have no place in a row: `inside` is the pointer in it. */
export function collisionReport(
  head: Pick<StorylineHead, 'origin'>,
  report: Report,
): (inside: string, ordinal: number) => void {
  return (inside, ordinal) =>
    report(
      misplacedSeverity(head),
      'openai-msg/residual-collision',
      `/unknown_fields/sources/${SOURCE}`,
      `the residual at ${inside} has no place in row ${ordinal}`,
    );
}

/**
 * Sorts the residuals of a session's rows: ordinal of the row → its residuals. `index` says where in the file each row stood; without
 * it they stood at the beginning. A single row takes them all. What belongs to no row is an error (decision G12).
 */
export function rowResiduals(
  head: Pick<StorylineHead, 'origin' | 'unknown_fields'>,
  rows: number,
  index: readonly number[] | undefined,
  report: Report,
): ReadonlyMap<number, RowResiduals> {
  const places = index === undefined ? undefined : new Map(index.map((place, ordinal) => [place, ordinal]));
  const sorted = new Map<number, Map<string, Extra[]>>();
  for (const [pointer, value] of Object.entries(fieldsOf(head, SOURCE) ?? {})) {
    const tokens = tokensIn(pointer);
    if (tokens === undefined) continue;
    const place = positionOf(tokens[0]);
    const ordinal = rows === 1 ? 0 : places === undefined ? place : places.get(place);
    if (place === -1 || tokens.length < 2 || ordinal === undefined || ordinal >= rows) {
      const message = `the residual at ${pointer} has no place: no row of the session stood there`;
      report(misplacedSeverity(head), 'openai-msg/residual-without-row', residualPlace(pointer), message);
      continue;
    }
    const isMessage = tokens[1] === 'messages' && positionOf(tokens[2]) !== -1;
    const depth = isMessage ? 3 : tokens[1] === 'response' && tokens.length > 2 ? 2 : 1;
    const owner = formatPointer(tokens.slice(1, depth));
    const ofRow = sorted.get(ordinal) ?? new Map<string, Extra[]>();
    const ofOwner = ofRow.get(owner) ?? [];
    ofOwner.push([formatPointer(tokens.slice(depth)), value]);
    sorted.set(ordinal, ofRow.set(owner, ofOwner));
  }
  return sorted;
}

/** The position that a token of a pointer names; -1 when it names none. */
function positionOf(token = ''): number {
  return /^(0|[1-9]\d{0,14})$/.test(token) ? Number(token) : -1;
}
