import {
  fieldsOf,
  type Json,
  memberOf,
  type Storyline,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import { type Layout, readLayout } from '../history/layout.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER } from '../keys.ts';
import type { Outline } from './outline.ts';

/** The layout of a Storyline's rows, as it came from its source (decision O2); `undefined` when it has none, or none that fits its turns. */
export function layoutOf(story: Storyline, outline: Outline): Layout | undefined {
  const isPrompted = story.prompt !== undefined || story.turns.some((turn) => turn.prompt !== undefined);
  if (isPrompted || outline.rows.some((row) => row.before.length > 0)) return undefined;
  return readLayout(layoutJson(story), outline.rows.length);
}

/** The layout as its source has it. */
export function layoutJson(head: Pick<StorylineHead, 'unknown_fields'>): Json | undefined {
  return memberOf(fieldsOf(head, LAYOUT_SOURCE), `/${ROWS_MEMBER}`);
}
