import {
  appendPointer,
  fieldsOf,
  type Json,
  type Report,
  type Severity,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import { ROWS_MEMBER, SOURCE } from '../keys.ts';
import type { Extra } from '../message/view.ts';

/** The residuals of one row, by where they go. */
export interface RowResiduals {
  /** Pointers inside the row. */
  readonly own: Extra[];
  /** Position of a message → pointers inside it. */
  readonly messages: Map<number, Extra[]>;
  /** Pointers inside the response. */
  readonly response: Extra[];
}

/** Residuals of a document's root members: key pointer → value. */
export function rootResiduals(head: Pick<StorylineHead, 'unknown_fields'>): readonly Extra[] {
  const fields = fieldsOf(head, SOURCE) ?? {};
  return Object.keys(fields)
    .filter((pointer) => pointer !== `/${ROWS_MEMBER}` && !pointer.startsWith(`/${ROWS_MEMBER}/`))
    .map((pointer) => [pointer, fields[pointer] as Json] as const);
}

/**
 * How much a residual without a place matters: an error for a Storyline that came from rows (decision G12), a loss for one that another
 * format has reshaped since.
 */
function misplacedSeverity(head: Pick<StorylineHead, 'origin'>): Severity {
  return head.origin === undefined || head.origin.format === SOURCE ? 'error' : 'loss';
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
      `the residual at ${inside} of row ${ordinal} has no place there: what should hold it is missing or no container`,
    );
}

const ROW = new RegExp(`^/${ROWS_MEMBER}/(0|[1-9]\\d{0,14})(/.*)$`, 's');
const MESSAGE = /^\/messages\/(0|[1-9]\d{0,14})(\/.*)?$/s;

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
  const fields = fieldsOf(head, SOURCE) ?? {};
  const places = index === undefined ? undefined : new Map(index.map((place, ordinal) => [place, ordinal]));
  const sorted = new Map<number, RowResiduals>();
  for (const pointer of Object.keys(fields)) {
    if (pointer !== `/${ROWS_MEMBER}` && !pointer.startsWith(`/${ROWS_MEMBER}/`)) continue;
    const match = ROW.exec(pointer);
    const place = Number(match?.[1]);
    let ordinal = places === undefined ? place : places.get(place);
    if (rows === 1 && match !== null) ordinal = 0;
    if (match === null || ordinal === undefined || ordinal >= rows) {
      report(
        misplacedSeverity(head),
        'openai-msg/residual-without-row',
        appendPointer('/unknown_fields/sources', SOURCE, 'fields', pointer),
        `the residual at ${pointer} has no place: the session has ${rows} rows, none of which stood there`,
      );
      continue;
    }
    const value = fields[pointer] as Json;
    const inside = match[2] ?? '';
    let own = sorted.get(ordinal);
    if (own === undefined) {
      own = { own: [], messages: new Map(), response: [] };
      sorted.set(ordinal, own);
    }
    const message = MESSAGE.exec(inside);
    if (message !== null) {
      const position = Number(message[1]);
      const list = own.messages.get(position);
      const entry = [message[2] ?? '', value] as const;
      if (list === undefined) own.messages.set(position, [entry]);
      else list.push(entry);
    } else if (inside.startsWith('/response/')) own.response.push([inside.slice('/response'.length), value]);
    else own.own.push([inside, value]);
  }
  return sorted;
}
