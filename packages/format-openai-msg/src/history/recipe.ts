import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { OTHER, OUTPUT, OWN, toolItem, USER } from './flags.ts';

/** The messages of one row: what each is, and how the copies differ from the first occurrence. */
export interface RowItems {
  readonly items: readonly number[];
  /** Position in `items` → flags, where they are not 0. */
  readonly flags: ReadonlyMap<number, number>;
}

/** How one row differs from the plain rebuild (decision O2). */
export interface RowRecipe {
  /** The messages of the row; null when it has no list of messages; `undefined` when the plain rebuild gives them. */
  readonly messages?: RowItems | null;
  /** The output stands among the messages; there is no response. */
  readonly withoutResponse?: boolean;
  /** Messages (`/messages/3`, `/response`) that have no `content` key. */
  readonly withoutContent?: ReadonlySet<string>;
  /** Positions of the calls in `tool_calls`, where other elements stand before them. */
  readonly calls?: ReadonlyMap<string, readonly number[]>;
}

/**
 * A recipe as JSON, small: `messages` is a list of ranges `[start, count, flags?]` over the session's messages in order of first
 * appearance (a negative start counts from their number before the row) and of the names of what is new. `known` is that number.
 */
export function writeRecipe(recipe: RowRecipe, known: number): JsonObject {
  const json: MutableJsonObject = {};
  if (recipe.messages === null) json.messages = null;
  else if (recipe.messages !== undefined) json.messages = writeItems(recipe.messages, known);
  if (recipe.withoutResponse === true) json.response = false;
  if (recipe.withoutContent !== undefined && recipe.withoutContent.size > 0)
    json.without_content = [...recipe.withoutContent];
  if (recipe.calls !== undefined && recipe.calls.size > 0) {
    const calls: MutableJsonObject = {};
    for (const [pointer, positions] of recipe.calls) setOwn(calls, pointer, positions);
    json.calls = calls;
  }
  return json;
}

function writeItems({ items, flags }: RowItems, known: number): Json {
  const written: Json[] = [];
  let start = 0;
  while (start < items.length) {
    const item = items[start] as number;
    const flag = flags.get(start) ?? 0;
    let end = start + 1;
    if (item >= 0) {
      while (end < items.length && items[end] === item + end - start && (flags.get(end) ?? 0) === flag)
        end += 1;
      const count = end - start;
      const from = item + count === known ? item - known : item;
      written.push(flag === 0 ? [from, count] : [from, count, flag]);
    } else if (item === OWN) written.push(flag === 0 ? ['output'] : ['output', flag]);
    else
      written.push(item === USER ? 'user' : item === OUTPUT ? 'output' : item === OTHER ? 'other' : 'tool');
    start = end;
  }
  return written;
}

/**
 * Reads a recipe; `undefined` when it is not one, or speaks of messages that are not there. A row hardly repeats more than its
 * whole `history` or each `known` message once; far more than that is refused, so that no recipe can blow up.
 */
export function readRecipe(json: Json, known: number, history: number): RowRecipe | undefined {
  if (!isJsonObject(json)) return undefined;
  const messages = getOwn(json, 'messages');
  const items =
    messages === undefined || messages === null
      ? messages
      : readItems(messages, known, 16 * (known + history));
  const without = getOwn(json, 'without_content') ?? [];
  const calls = getOwn(json, 'calls') ?? {};
  if (messages !== undefined && items === undefined) return undefined;
  if (
    !isJsonArray(without) ||
    !without.every((pointer) => typeof pointer === 'string') ||
    !isJsonObject(calls)
  )
    return undefined;
  const positions = new Map<string, readonly number[]>();
  for (const pointer of Object.keys(calls)) {
    const list = calls[pointer];
    if (!isJsonArray(list) || !list.every(isIndex)) return undefined;
    positions.set(pointer, list as readonly number[]);
  }
  return {
    ...(items === undefined ? {} : { messages: items }),
    withoutResponse: getOwn(json, 'response') === false,
    withoutContent: new Set(without as readonly string[]),
    calls: positions,
  };
}

function readItems(json: Json, known: number, limit: number): RowItems | undefined {
  if (!isJsonArray(json)) return undefined;
  const items: number[] = [];
  const flags = new Map<number, number>();
  let tools = 0;
  let copies = -16 * json.length;
  for (const one of json) {
    if (one === 'tool') {
      items.push(toolItem(tools));
      tools += 1;
    } else if (one === 'user' || one === 'other' || one === 'output')
      items.push(one === 'user' ? USER : one === 'other' ? OTHER : OUTPUT);
    else if (!isJsonArray(one)) return undefined;
    else if (one[0] === 'output') {
      if (isIndex(one[1]) && one[1] !== 0) flags.set(items.length, one[1]);
      items.push(OWN);
    } else {
      const [from, count, flag = 0] = one;
      if (!Number.isInteger(from) || !isIndex(count) || !isIndex(flag)) return undefined;
      const start = (from as number) < 0 ? known + (from as number) : (from as number);
      copies += count;
      if (start < 0 || start + count > known || copies > limit) return undefined;
      for (let index = 0; index < count; index += 1) {
        if (flag !== 0) flags.set(items.length, flag);
        items.push(start + index);
      }
    }
  }
  return { items, flags };
}

function isIndex(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
