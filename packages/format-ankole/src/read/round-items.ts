import { appendPointer, getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { listOf, objectIn } from '../members.ts';
import { sidesOf } from './sides.ts';

/** An item of a round, with its side and its place. */
export interface PlacedItem {
  readonly item: Json;
  readonly side: 'input' | 'output';
  readonly at: string;
}

/** The items of a row. */
export function rowItems(row: JsonObject, pointer: string, status: string): readonly PlacedItem[] {
  const content = getOwn(row, 'content');
  const items = listOf(content);
  const sides = sidesOf(items, getOwn(objectIn(row, 'metadata'), 'request_item_count'), status);
  return items.map((item, index) => ({
    item,
    side: sides[index] ?? 'output',
    at: appendPointer(pointer, 'content', index),
  }));
}

/** The items of a Response object. */
export function responseItems(value: JsonObject, pointer: string): readonly PlacedItem[] {
  return (['input', 'output'] as const).flatMap((side) => {
    const items = getOwn(value, side);
    if (side === 'input' && typeof items === 'string')
      return [{ item: { role: 'user', content: items }, side, at: appendPointer(pointer, side) }];
    return listOf(items).map((item, index) => ({
      item,
      side,
      at: appendPointer(pointer, side, index),
    }));
  });
}
