import { equalJson } from '../json/equal.ts';
import { formatPointer } from '../json/pointer.ts';
import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';

/** A part of a value that its rereading does not give back: the value is gone, or another one stands there. */
export interface Missing {
  readonly pointer: string;
  /** The pointer with `*` for array positions. */
  readonly pattern: string;
  readonly value: Json;
  /** What stands there instead; `undefined` when nothing does. */
  readonly now: Json | undefined;
}

/** Where a comparison starts; its `shorter` says that an array which lost its last elements is compared element by element too. */
export interface MissingOptions {
  readonly pointer?: string;
  readonly pattern?: string;
  readonly shorter?: boolean;
}

/** A member on the way down. Pointers are made only for what is missing. */
interface Node {
  readonly parent: Node | undefined;
  readonly token: string | number;
  readonly value: Json;
  readonly now: Json | undefined;
}

/**
 * The parts of `value` that `now` does not have, or has differently, in document order (decision G14): objects are compared member by
 * member, arrays of one length element by element, everything else whole. What only `now` has is not missing. No recursion.
 */
export function* missingFrom(
  value: Json,
  now: Json | undefined,
  { pointer = '', pattern = '', shorter = false }: MissingOptions = {},
): Generator<Missing> {
  const pending: Node[] = [{ parent: undefined, token: '', value, now }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const members = node.now === undefined ? undefined : membersOf(node, node.now, shorter);
    if (members !== undefined) for (const member of members.reverse()) pending.push(member);
    else if (node.now === undefined || !equalJson(node.value, node.now))
      yield { ...placeOf(node, pointer, pattern), value: node.value, now: node.now };
  }
}

/** The members of both values that are not plainly the same, or `undefined` where the two are compared whole. */
function membersOf(parent: Node, now: Json, shorter: boolean): Node[] | undefined {
  const { value } = parent;
  const members: Node[] = [];
  const add = (token: string | number, left: Json, right: Json | undefined): void => {
    if (left !== right) members.push({ parent, token, value: left, now: right });
  };
  if (isJsonArray(value) && isJsonArray(now)) {
    if (now.length === 0 || now.length > value.length || (now.length < value.length && !shorter))
      return undefined;
    value.forEach((element, index) => {
      add(index, element, now[index]);
    });
    return members;
  }
  if (!(isJsonObject(value) && isJsonObject(now))) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  for (const key of keys) add(key, getOwn(value, key) as Json, getOwn(now, key));
  return members;
}

function placeOf(node: Node, pointer: string, pattern: string): Pick<Missing, 'pointer' | 'pattern'> {
  const tokens: (string | number)[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) tokens.push(at.token);
  tokens.reverse();
  const wild = tokens.map((token) => (typeof token === 'number' ? '*' : token));
  return { pointer: pointer + formatPointer(tokens), pattern: pattern + formatPointer(wild) };
}
