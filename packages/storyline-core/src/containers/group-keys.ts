import type { RowsContainer } from '../import/choose-container.ts';
import { parsePointer } from '../json/pointer.ts';
import { findMembers, findWithin, readScalar } from '../json/shallow.ts';
import type { Json } from '../json/value.ts';
import { type GroupKey, groupKeysOf, readGroupKey } from './row-order.ts';

/** What a row says of the group that it belongs to. */
export interface RowTells {
  readonly key: GroupKey | undefined;
  /** What links it to other rows (`links` of its container). */
  readonly names: readonly string[];
  /** It has no key, but the only group there is may have it. */
  readonly isOrphan: boolean;
}

/** Reads what a row tells; `scalar` and `has` look at its members. */
export function readTells(
  container: RowsContainer,
  scalar: (key: string) => Json | undefined,
  has: (key: string) => boolean,
): RowTells {
  const { adopts, links } = container;
  const key = groupKeyIn(container, scalar);
  const names: string[] = [];
  for (const member of links?.keys ?? []) {
    const name = scalar(member);
    if (links !== undefined && typeof name === 'string' && name.startsWith(links.prefix)) names.push(name);
  }
  return { key, names, isOrphan: key === undefined && adopts !== undefined && has(adopts) };
}

/** The first group key that a row has, without the prefix. */
export function groupKeyIn(
  { group, prefix = '' }: Pick<RowsContainer, 'group' | 'prefix'>,
  scalar: (key: string) => Json | undefined,
): GroupKey | undefined {
  for (const name of groupKeysOf(group)) {
    const value = scalar(name);
    const isPrefixed =
      prefix !== '' && typeof value === 'string' && value.length > prefix.length && value.startsWith(prefix);
    const key = readGroupKey(isPrefixed ? value.slice(prefix.length) : value);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The way to a group key: its name, or the tokens of its pointer. */
export function groupPath(key: string): readonly string[] {
  return key.startsWith('/') ? (parsePointer(key) ?? [key]) : [key];
}

/** What one look at the bytes of a row gives. */
export interface RowLook {
  readonly tells: RowTells;
  /** Its order keys. */
  readonly order: readonly Json[];
}

/** Plans how the bytes of rows are looked at: their members are found in one pass. */
export function planLook(container: RowsContainer): (bytes: Uint8Array) => RowLook {
  const { group, adopts, links, order } = container;
  const paths = new Map([...groupKeysOf(group), ...(links?.keys ?? [])].map((key) => [key, groupPath(key)]));
  const members = [...paths.values()].map(([name = '']) => name);
  const names = [...new Set(members), ...(adopts === undefined ? [] : [adopts]), ...order];
  const orderFrom = names.length - order.length;
  return (bytes) => {
    const found = findMembers(bytes, names);
    const scalar = (key: string): Json => {
      const [name = '', ...path] = paths.get(key) ?? [];
      return readScalar(bytes, findWithin(bytes, found[names.indexOf(name)], path));
    };
    return {
      tells: readTells(container, scalar, (key) => found[names.indexOf(key)] !== undefined),
      order: found.slice(orderFrom).map((value) => readScalar(bytes, value)),
    };
  };
}
