import {
  appendPointer,
  decodeText,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  stringify,
} from '@pchronicle/storyline-core';
import { decodeBase64url } from '../encoded/base64url.ts';
import { objectOf, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import type { Part } from './parts.ts';

/** Longest cursor that is looked into. */
const MOST_LETTERS = 2_000;

/** Where a page stands among the pages of its set, and which page its cursor leads to. */
export interface PageCursor {
  readonly cursor: Json;
  /** Where the cursor stands. */
  readonly pointer: string;
  /** The page that no other may follow: the last of a conversation, the oldest of a job. */
  readonly isEnd: boolean;
  /** Whether its cursor names something that the page has; `undefined` where the cursor does not say. */
  readonly isOwn: boolean | undefined;
  /** What the page holds: a page that is given twice leads to one page, in no circle. Empty where it holds nothing. */
  readonly content: string;
}

/** Reports pages of a conversation that are missing, and cursors that do not fit: nothing is fetched, so a cursor that never ends is only told. */
export function reportPages(
  parts: readonly Part[],
  positions: ReadonlyMap<Part, readonly number[]>,
  found: Tally,
): void {
  const pages = parts
    .filter(({ shape }) => shape === 'page')
    .map((part) => ({
      part,
      last: (positions.get(part) ?? []).reduce((most, at) => Math.max(most, at), -1),
    }));
  const end = pages.reduce((most, { last }) => Math.max(most, last), -1);
  tellCursors(
    pages.map(({ part, last }) => {
      const cursor = getOwn(part.value, 'next_cursor') ?? null;
      const named = typeof cursor === 'string' ? rowNamedBy(cursor) : undefined;
      const rows = getOwn(part.value, 'messages') as readonly Json[];
      return {
        cursor,
        content: (positions.get(part) ?? []).join(),
        pointer: appendPointer(part.pointer, 'next_cursor'),
        isEnd: last === end || last === -1,
        isOwn:
          named === undefined
            ? undefined
            : rows.some((row) => isJsonObject(row) && textOf(row, 'id') === named),
      };
    }),
    found,
  );
}

/** A set has one page without a cursor, its end; two pages with the same cursor lead to the same page. */
export function tellCursors(cursors: readonly PageCursor[], found: Tally): void {
  const seen = new Map<Json, string>();
  for (const { cursor, pointer, isEnd, isOwn, content } of cursors) {
    if (cursor === null) {
      if (!isEnd)
        found.add(
          'warning',
          'ankole/cursor-mismatch',
          pointer,
          'this page says that no other follows, but one is here: they are not of one reading',
        );
      continue;
    }
    if (typeof cursor !== 'string')
      found.add('warning', 'ankole/cursor-shape', pointer, 'a cursor is a text or null, but this is neither');
    else if (seen.has(cursor)) {
      if (content !== '' && seen.get(cursor) === content) continue;
      found.add(
        'warning',
        'ankole/repeated-cursor',
        pointer,
        'two pages have this cursor, so it leads in a circle',
      );
    } else if (isOwn === false)
      found.add(
        'warning',
        'ankole/cursor-mismatch',
        pointer,
        'the cursor of a page names the last that the page has, but this one names something else',
      );
    seen.set(cursor, content);
  }
  const end = cursors.find(({ isEnd }) => isEnd) ?? cursors[0];
  if (end !== undefined && cursors.every(({ cursor }) => cursor !== null))
    found.add(
      'warning',
      'ankole/pages-missing',
      end.pointer,
      `every page here leads to another one, so at least one page is missing: the one behind the cursor ${stringify(end.cursor).slice(0, 200)}; pages are joined when they are given together`,
    );
}

/** The row that the cursor of a page of messages names: `<time>|<id>` (notes §1.8). */
function rowNamedBy(cursor: string): string | undefined {
  const text = textBehind(cursor);
  const match = text === undefined ? null : /^[^|]{10,40}\|([^|]{1,200})$/.exec(text);
  return match?.[1];
}

/** What the cursor of a page of a job names: the oldest that the page delivered (notes §2.5). */
export function unitNamedBy(cursor: Json): { readonly turn: string | undefined; readonly position: number } {
  const text = typeof cursor === 'string' ? textBehind(cursor) : undefined;
  const value = text === undefined ? undefined : parseJson(text).value;
  const named: JsonObject = objectOf(value);
  const position = getOwn(named, 'position');
  return { turn: textOf(named, 'turn_id'), position: typeof position === 'number' ? position : 0 };
}

function textBehind(cursor: string): string | undefined {
  if (cursor.length > MOST_LETTERS) return undefined;
  const bytes = decodeBase64url(cursor);
  return bytes === undefined ? undefined : decodeText(bytes);
}
