import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  residualAt,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import { positionsIn } from './ranges.ts';
import { readSpelling, type Spelling } from './spelling.ts';
import { LAYOUT_POINTER, LAYOUT_SOURCE, ROOT_KEYS } from './vocabulary.ts';

/** The layout of a Storyline; empty where there is none. It may come from anywhere and is read with care. */
export function layoutIn(head: StorylineHead): JsonObject {
  const layout = residualAt(head, LAYOUT_SOURCE, LAYOUT_POINTER);
  return isJsonObject(layout) ? layout : {};
}

/** The spellings that the layout keeps, by position of the event. */
export function spellingsIn(layout: JsonObject, count: number): ReadonlyMap<number, Spelling> {
  const found = new Map<number, Spelling>();
  if (!isJsonObject(layout.events)) return found;
  for (const [text, ranges] of Object.entries(layout.events)) {
    const spelling = readSpelling(text);
    if (spelling === undefined) continue;
    for (const position of positionsIn(ranges, count)) found.set(position, spelling);
  }
  return found;
}

/** The run ids of events that are not those of their run, by position of the event. */
export function runIdsIn(layout: JsonObject, count: number): ReadonlyMap<number, Json> {
  const found = new Map<number, Json>();
  if (!isJsonArray(layout.run_ids)) return found;
  for (const stretch of layout.run_ids) {
    if (!isJsonArray(stretch)) continue;
    const [first, length, value = null] = stretch;
    if (typeof first !== 'number' || typeof length !== 'number') continue;
    for (const position of positionsIn([[first, first + length - 1]], count)) found.set(position, value);
  }
  return found;
}

/** Root fields that the layout names, by what it says of them; names that are no such fields are passed over. */
export function readRootNotes(value: Json | undefined): {
  readonly lacks: readonly string[];
  readonly nulls: readonly string[];
  readonly empty: readonly string[];
} {
  const notes = typeof value === 'string' ? value.split(' ') : [];
  const known = (key: string): boolean => (ROOT_KEYS as readonly string[]).includes(key);
  return {
    lacks: notes.filter((note) => note.startsWith('-')).map((note) => note.slice(1)),
    nulls: notes
      .filter((note) => note.endsWith('=null'))
      .map((note) => note.slice(0, -5))
      .filter(known),
    empty: notes.filter((note) => note.endsWith('=')).map((note) => note.slice(0, -1)),
  };
}
