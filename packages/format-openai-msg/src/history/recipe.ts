import { isJsonArray, type Json, type JsonObject, memberOf } from '@pchronicle/storyline-core';
import { listOf } from '../values.ts';
import { OUTPUT, OWN, toolItem } from './flags.ts';
import { isCount } from './layout.ts';

/** The messages of a row: what each is, and how the copies differ from the first occurrence. */
export interface RowItems {
  readonly items: readonly number[];
  /** Flags by position in `items`; one that is missing is 0. */
  readonly flags: readonly number[];
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

/** The names of USER, OUTPUT and OTHER: -1, -2, -3. */
const NAMES = ['user', 'output', 'other'];

/**
 * The messages of a row, as what it makes of its history, the messages of the row before it and its output: ranges
 * `['kept', start, end, flags?]` of that, whose copies stand as they did there unless flags say otherwise; ranges `[start, count, flags?]` of
 * the session's messages in order of first appearance, for what is not there in this order; and the names of what is new. Positions in the
 * history are told from its end, 0 as a start is its beginning: rows that do the same to ever longer histories have the same recipe.
 */
export function writeItems({ items, flags }: RowItems, history: RowItems): Json {
  const written: Json[] = [];
  const size = history.items.length;
  let kept = 0;
  for (let at = 0, end = 0; at < items.length; at = end) {
    const item = items[at] as number;
    const flag = flags[at] as number;
    const place = history.items.indexOf(item, kept);
    const before = history.flags[place] ?? 0;
    const flagged = flag === before ? [] : [flag];
    end = at + 1;
    if (item === OWN) written.push(['output', ...flagged]);
    else if (item < 0) written.push(NAMES[-1 - item] ?? 'tool');
    else if (place < 0) {
      while (items[end] === item + end - at && flags[end] === flag) end += 1;
      written.push([item, end - at, ...flagged]);
    } else {
      kept = place + 1;
      while (
        items[end] === history.items[kept] &&
        flags[end] === (flag === before ? (history.flags[kept] ?? 0) : flag)
      ) {
        end += 1;
        kept += 1;
      }
      written.push(['kept', place && place - size, kept - size, ...flagged]);
    }
  }
  return written;
}

/**
 * Reads the messages of a row; `undefined` when it is no such list, or speaks of messages that are not there. A row repeats each `known`
 * message once, and hardly any more often; far more than that, and than its history has, is refused, so that no recipe can blow up.
 * A start below 0 among the session's messages counts from their end: layouts used to have that.
 */
export function readItems(json: Json | undefined, known: number, history: RowItems): RowItems | undefined {
  if (!isJsonArray(json)) return undefined;
  const items: number[] = [];
  const flags: number[] = [];
  let tools = 0;
  let room = Math.max(history.items.length, 16 * (known + json.length));
  for (const one of json) {
    const [name, ...rest] = isJsonArray(one) ? one : [one];
    const isKept = name === 'kept';
    if (isKept || typeof name === 'number') {
      const [start = 0, to = 0, flag] = (isKept ? rest : [name, ...rest]).map(Number);
      const size = isKept ? history.items.length : known;
      const from = start < 0 ? size + start : start;
      const end = to + (isKept ? size : from);
      room -= end - from;
      if (!isCount(from) || !isCount(end - from) || end > size || room < 0) return undefined;
      for (let at = from; at < end; at += 1) {
        items.push(isKept ? (history.items[at] as number) : at);
        flags.push(flag ?? ((isKept && history.flags[at]) || 0));
      }
    } else {
      const item = -1 - NAMES.indexOf(name as string);
      items.push(item === OUTPUT && one !== name ? OWN : item === 0 ? toolItem(tools++) : item);
      flags.push(Number(rest[0] ?? 0));
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
