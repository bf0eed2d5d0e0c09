import { appendPointer, getOwn, type Json } from '@pchronicle/storyline-core';
import type { Tally } from '../tally.ts';
import type { Part } from './parts.ts';

/** Reports pages that are missing, and cursors that lead nowhere new: nothing is fetched, so a cursor that never ends is only told. */
export function reportPages(parts: readonly Part[], found: Tally): void {
  const pages = parts.filter(({ shape }) => shape === 'page');
  tellCursors(
    pages.map(({ value, pointer }) => ({
      cursor: getOwn(value, 'next_cursor') ?? null,
      pointer: appendPointer(pointer, 'next_cursor'),
    })),
    found,
  );
}

/** Where a cursor stands, and what it is. */
export interface Cursor {
  readonly cursor: Json;
  readonly pointer: string;
}

/** One page of a set must have no cursor; two with the same cursor lead to the same page. */
export function tellCursors(cursors: readonly Cursor[], found: Tally): void {
  const seen = new Set<Json>();
  for (const { cursor, pointer } of cursors) {
    if (cursor === null) continue;
    if (typeof cursor !== 'string')
      found.add('warning', 'ankole/cursor-shape', pointer, 'a cursor is a text or null, but this is neither');
    else if (seen.has(cursor))
      found.add(
        'warning',
        'ankole/repeated-cursor',
        pointer,
        'two pages have this cursor, so it leads in a circle',
      );
    seen.add(cursor);
  }
  const [first] = cursors;
  if (first !== undefined && cursors.every(({ cursor }) => cursor !== null))
    found.add(
      'warning',
      'ankole/pages-missing',
      first.pointer,
      'every page here leads to another one, so at least one page is missing',
    );
}
