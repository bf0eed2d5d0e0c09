import type { RowsContainer } from '../import/choose-container.ts';
import { parsePointer } from '../json/pointer.ts';
import { findWithin, readScalar, type ShallowValue } from '../json/shallow.ts';
import type { Json } from '../json/value.ts';
import { groupKeysOf, readGroupKey } from './row-order.ts';

/** A key that says which group a row belongs to. */
export interface GroupKey {
  /** What tells two groups apart: "5" and 5 are two. */
  readonly id: string;
  readonly text: string;
}

/** Which members of a row are looked at: those of its group keys first, those of its order keys last. */
export interface GroupKeyPlan {
  readonly names: readonly string[];
  /** By group key: the member (a position in `names`) and the way on from it. */
  readonly keys: readonly { readonly member: number; readonly path: readonly string[] }[];
  readonly prefix: string;
  /** Position in `names` of the member that lets a row be adopted. */
  readonly adopts: number | undefined;
}

/** Plans the reading of group and order keys. */
export function planGroupKeys(container: RowsContainer): GroupKeyPlan {
  const paths = groupKeysOf(container.group).map(groupPath);
  const names = [...new Set(paths.map(([name = '']) => name))];
  const keys = paths.map(([name = '', ...path]) => ({ member: names.indexOf(name), path }));
  const adopts = container.adopts === undefined ? undefined : names.length;
  if (container.adopts !== undefined) names.push(container.adopts);
  names.push(...container.order);
  return { names, keys, prefix: container.prefix ?? '', adopts };
}

/** The way to a group key: its name, or the tokens of its pointer. */
export function groupPath(key: string): readonly string[] {
  return key.startsWith('/') ? (parsePointer(key) ?? [key]) : [key];
}

/** The first group key that a row has, its members having been found. */
export function groupKeyIn(
  { keys, prefix }: GroupKeyPlan,
  bytes: Uint8Array,
  found: readonly (ShallowValue | undefined)[],
): GroupKey | undefined {
  for (const { member, path } of keys) {
    const value = found[member];
    if (value === undefined) continue;
    const key = groupKeyOf(readScalar(bytes, findWithin(bytes, value, path)), prefix);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** What a value says as a group key, without the prefix; `undefined` for what is none. */
export function groupKeyOf(value: Json | undefined, prefix = ''): GroupKey | undefined {
  const isPrefixed =
    prefix !== '' && typeof value === 'string' && value.length > prefix.length && value.startsWith(prefix);
  return readGroupKey(isPrefixed ? value.slice(prefix.length) : value);
}
