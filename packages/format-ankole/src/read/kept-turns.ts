import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  RETAINED,
} from '@pchronicle/storyline-core';
import { objectIn, textOf } from '../members.ts';
import { startTally } from '../tally.ts';
import type { Draft, Part } from './parts.ts';
import { readResponsesItem } from './responses-item.ts';

/** What a compaction keeps of the rows before it, in front of its summary and behind it. */
export interface KeptDrafts {
  readonly before: readonly Draft[];
  readonly after: readonly Draft[];
}

/** What is kept where no artifact tells of it. */
export const NOTHING_KEPT: KeptDrafts = { before: [], after: [] };

/**
 * What the `output` of an artifact adds to the turn of its checkpoint, which stands for the compaction item: turns that are in the model's
 * context in place of everything before (notes §1.6). What the provider compacted itself (version 3) cannot be read. Rows tell of what such
 * items hold and lack, so nothing is told again.
 */
export function readKept(
  { value, pointer }: Part,
  state: { readonly [key: string]: Json },
  row: string,
): KeptDrafts {
  const content = objectIn(value, 'content');
  const output = getOwn(content, 'output');
  if (getOwn(content, 'version') === 3 || !isJsonArray(output)) return NOTHING_KEPT;
  const before: Draft[] = [];
  const after: Draft[] = [];
  const silent = startTally();
  const border = output.findIndex((item) => isJsonObject(item) && textOf(item, 'type') === 'compaction');
  output.forEach((item, index) => {
    if (index === border) return;
    const draft = readResponsesItem(item, appendPointer(pointer, 'content', 'output', index), silent);
    draft.turn.kind = 'internal';
    draft.turn.env = { event_type: RETAINED, request_id: row, state: { ...state, item: index } };
    (index < border ? before : after).push({ ...draft, isRetained: true });
  });
  return { before, after };
}
