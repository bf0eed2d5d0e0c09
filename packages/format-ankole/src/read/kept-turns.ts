import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  RETAINED,
  residuals,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { objectIn, textOf } from '../members.ts';
import { startTally } from '../tally.ts';
import type { Draft, Part } from './parts.ts';
import { readResponsesItem } from './responses-item.ts';
import { finishTurns } from './turn-list.ts';

/**
 * What the `output` of an artifact adds to the turn of its checkpoint, which stands for the compaction item: turns that are in the model's
 * context in place of everything before, in front of the summary and behind it (notes §1.6). They repeat what rows say, so they are kept for
 * that view only. What the provider compacted itself (version 3) cannot be read. Rows tell of what such items hold and lack, so nothing is
 * told again.
 */
export function readKept(
  { value, pointer }: Part,
  state: { readonly [key: string]: Json },
  row: string,
): JsonObject | undefined {
  const content = objectIn(value, 'content');
  const output = getOwn(content, 'output');
  if (getOwn(content, 'version') === 3 || !isJsonArray(output)) return undefined;
  const silent = startTally();
  const border = output.findIndex((item) => isJsonObject(item) && textOf(item, 'type') === 'compaction');
  const drafts = output.map((item, index): Draft => {
    const draft = readResponsesItem(item, appendPointer(pointer, 'content', 'output', index), silent);
    draft.turn.kind = 'internal';
    draft.turn.env = { event_type: RETAINED, request_id: row, state: { ...state, item: index } };
    return draft;
  });
  const told = drafts.filter((_, index) => index !== border);
  // The artifact itself is kept whole, so nothing of it is a residual.
  const turns = finishTurns(told, residuals(SOURCE, ''), silent);
  const plain = turns.map((turn): Json => {
    const { id: _, ...members } = turn as unknown as MutableJsonObject;
    return members;
  });
  return { before: plain.slice(0, Math.max(border, 0)), after: plain.slice(Math.max(border, 0)) };
}
