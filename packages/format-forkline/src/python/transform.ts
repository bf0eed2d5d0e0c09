import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';

/** What becomes of one value: another value, nothing, or a look inside with a context of its own. */
export type Transformed<Context> =
  | { readonly value: Json }
  | { readonly drop: true }
  | { readonly descend: Context };

/** Decides about one value; `key` is its key in an object, absent in an array and at the root. */
export type Visit<Context> = (value: Json, context: Context, key?: string) => Transformed<Context>;

/** A container whose members are still to be looked at. */
interface Open<Context> {
  readonly from: JsonArray | JsonObject;
  readonly to: Json[] | MutableJsonObject;
  readonly context: Context;
}

/** Copies a value and changes it on the way, without recursion; only containers can be descended into. `keys` gives the order of members. */
export function transformJson<Context>(
  root: Json,
  context: Context,
  visit: Visit<Context>,
  keys: (object: JsonObject) => readonly string[] = Object.keys,
): Json {
  const stack: Open<Context>[] = [];
  let result: Json = root;
  const put = (value: Json, inner: Context, key: string | undefined, store: (value: Json) => void): void => {
    const next = visit(value, inner, key);
    if ('value' in next) store(next.value);
    else if ('descend' in next) {
      if (isJsonArray(value) || isJsonObject(value)) {
        const to: Json[] | MutableJsonObject = isJsonArray(value) ? [] : {};
        store(to);
        stack.push({ from: value, to, context: next.descend });
      } else store(value);
    }
  };
  put(root, context, undefined, (value) => {
    result = value;
  });
  for (let open = stack.pop(); open !== undefined; open = stack.pop()) {
    const { from, to } = open;
    if (isJsonArray(from)) {
      for (const element of from)
        put(element, open.context, undefined, (value) => (to as Json[]).push(value));
    } else {
      for (const key of keys(from)) {
        put(from[key] ?? null, open.context, key, (value) => setOwn(to as MutableJsonObject, key, value));
      }
    }
  }
  return result;
}
