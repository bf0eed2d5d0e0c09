import { isJsonArray, type Json, type JsonObject, memberOf } from '@pchronicle/storyline-core';
import { listOf } from '../values.ts';
import { OTHER, OUTPUT, OWN, toolItem, USER } from './flags.ts';
import { isCount } from './layout.ts';

/** The messages of one row: what each is, and how the copies differ from the first occurrence. */
export interface RowItems {
  readonly items: readonly number[];
  /** Position in `items` → flags, where they are not 0. */
  readonly flags: ReadonlyMap<number, number>;
}

/** How one row differs from the plain rebuild (decision O2), as it stands in a layout; each member is there only when it is needed. */
export interface RowRecipe {
  /** The messages of the row, see {@link writeItems}; null when it has no list of messages. */
  readonly messages?: Json;
  /** The output stands among the messages; there is no response. */
  readonly response?: false;
  /** Messages (`/messages/3`, `/response`) that have no `content` key. */
  readonly without_content?: readonly string[];
  /** Positions of the calls in `tool_calls`, where other elements stand before them: message → positions. */
  readonly calls?: { readonly [pointer: string]: readonly number[] };
}

const NAMES: readonly (readonly [name: string, item: number])[] = [
  ['user', USER],
  ['output', OUTPUT],
  ['other', OTHER],
];

/**
 * The messages of a row, small: ranges `[start, count, flags?]` over the session's messages in order of first appearance (a negative
 * start counts from their number before the row, which is `known`), and the names of what is new.
 */
export function writeItems({ items, flags }: RowItems, known: number): Json {
  const written: Json[] = [];
  for (let start = 0, end = 0; start < items.length; start = end) {
    const item = items[start] as number;
    const flag = flags.get(start) ?? 0;
    const flagged = flag === 0 ? [] : [flag];
    end = start + 1;
    if (item === OWN) written.push(['output', ...flagged]);
    else if (item < 0) written.push(NAMES.find(([, one]) => one === item)?.[0] ?? 'tool');
    else {
      while (items[end] === item + end - start && (flags.get(end) ?? 0) === flag) end += 1;
      const count = end - start;
      written.push([item + count === known ? -count : item, count, ...flagged]);
    }
  }
  return written;
}

/**
 * Reads the messages of a row; `undefined` when it is no such list, or speaks of messages that are not there. A row repeats each `known`
 * message once, and hardly any more often; far more than that is refused, so that no recipe can blow up.
 */
export function readItems(json: Json | undefined, known: number): RowItems | undefined {
  if (!isJsonArray(json)) return undefined;
  const items: number[] = [];
  const flags = new Map<number, number>();
  let tools = 0;
  let room = 16 * (known + json.length);
  for (const one of json) {
    const [from, count = 0, flag = 0] = isJsonArray(one) ? one : [one];
    if (isJsonArray(one) && from === 'output') {
      if (isCount(count) && count > 0) flags.set(items.length, count);
      items.push(OWN);
    } else if (typeof from === 'string')
      items.push(NAMES.find(([name]) => name === from)?.[1] ?? toolItem(tools++));
    else {
      if (typeof from !== 'number' || !isCount(count) || !isCount(flag)) return undefined;
      const start = from < 0 ? known + from : from;
      room -= count;
      if (!isCount(start) || start + count > known || room < 0) return undefined;
      for (let item = start; item < start + count; item += 1) {
        if (flag !== 0) flags.set(items.length, flag);
        items.push(item);
      }
    }
  }
  return { items, flags };
}

/** How a message differs from what its turn gives by itself. */
export interface MessageForm {
  readonly withoutContent: boolean;
  /** Positions of the calls in `tool_calls`. */
  readonly positions?: readonly number[] | undefined;
}

/** The forms of the messages of a row, by pointer. `others` is the largest number of elements that are no calls: the recipe may come from anywhere. */
export function formsOf(recipe: JsonObject, others: number): (pointer: string) => MessageForm {
  const without = new Set(listOf(memberOf(recipe, 'without_content')));
  return (pointer) => {
    const positions = memberOf(memberOf(recipe, 'calls'), pointer);
    return {
      withoutContent: without.has(pointer),
      positions:
        isJsonArray(positions) && positions.every((one) => isCount(one) && one < others + positions.length)
          ? (positions as readonly number[])
          : undefined,
    };
  };
}
