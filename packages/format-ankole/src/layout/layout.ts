import { getOwn, type JsonObject, residualAt, type StorylineHead } from '@pchronicle/storyline-core';
import { LAYOUT_POINTER, LAYOUT_SOURCE } from '../keys.ts';
import { objectOf } from '../members.ts';

/** The layout of a Storyline; empty where there is none. It may come from anywhere and is read with care. */
export function layoutOf(head: StorylineHead): JsonObject {
  const layout = residualAt(head, LAYOUT_SOURCE, LAYOUT_POINTER);
  return objectOf(layout);
}

/** How the parts of the document lay. */
export function formOf(layout: JsonObject): 'single' | 'array' | 'lines' {
  const form = getOwn(layout, 'form');
  return form === 'array' || form === 'lines' ? form : 'single';
}
