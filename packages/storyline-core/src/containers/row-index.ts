import type { RowsContainer } from '../import/choose-container.ts';
import { findMembers, readScalar } from '../json/shallow.ts';
import type { Json } from '../json/value.ts';
import type { Fault } from './fault.ts';
import { groupKeyIn, planGroupKeys } from './group-keys.ts';
import { compareOrder } from './row-order.ts';

/** Where the rows of a file lie, gathered by group. Twenty bytes a row; nothing of the rows themselves is kept. */
export interface RowIndex {
  /** How many rows there are. */
  readonly count: number;
  /** Groups in order of first appearance; a row without a group key is one of its own. */
  readonly groups: readonly RowGroup[];
  /** The keys of the groups that have one, text and number apart. */
  readonly ids: readonly string[];
  /** Whether some rows have no key but may be adopted by the only group there is. */
  readonly canBeAdopted: boolean;
  start(row: number): number;
  end(row: number): number;
  /** The rows of a group in file order; call {@link RowIndexBuilder.finish} first. */
  rows(group: number): Uint32Array;
}

/** The rows that belong together. */
export interface RowGroup {
  /** Text of the group key; `undefined` for a row that has none. */
  readonly key: string | undefined;
  /** Whether its rows stand in ascending order already. */
  isSorted: boolean;
  /** Bytes of its rows. */
  bytes: number;
  /** What makes its only row unreadable. */
  readonly fault: Fault | undefined;
}

/** Builds a {@link RowIndex} while the rows are passed. */
export interface RowIndexBuilder {
  /** Adds the next row. `bytes` are looked at for the group and order keys only; not given for a row that breaks a limit. */
  add(start: number, end: number, bytes: Uint8Array | undefined, fault: Fault | undefined): void;
  /** Rows so far. */
  count(): number;
  reset(): void;
  finish(): RowIndex;
}

/** Starts the index of rows with these keys. */
export function buildRowIndex(container: RowsContainer): RowIndexBuilder {
  const plan = planGroupKeys(container);
  const { names } = plan;
  const orderFrom = names.length - container.order.length;
  let starts = new Float64Array(1024);
  let ends = new Float64Array(1024);
  let groupOf = new Uint32Array(1024);
  let count = 0;
  let groups: RowGroup[] = [];
  let byKey = new Map<string, number>();
  /** By group: the order keys of its last row. */
  let last: (readonly Json[])[] = [];
  /** Groups of one row that has no key but may be adopted. */
  let orphans: number[] = [];

  function groupFor(bytes: Uint8Array | undefined, fault: Fault | undefined): number {
    const found = bytes === undefined ? [] : findMembers(bytes, names);
    const key = bytes === undefined ? undefined : groupKeyIn(plan, bytes, found);
    const order = bytes === undefined ? [] : found.slice(orderFrom).map((value) => readScalar(bytes, value));
    const known = key === undefined ? undefined : byKey.get(key.id);
    if (known === undefined) {
      if (key !== undefined) byKey.set(key.id, groups.length);
      else if (fault === undefined && plan.adopts !== undefined && found[plan.adopts] !== undefined)
        orphans.push(groups.length);
      groups.push({ key: key?.text, isSorted: true, bytes: 0, fault: key === undefined ? fault : undefined });
      last.push(order);
      return groups.length - 1;
    }
    const group = groups[known] as RowGroup;
    if (group.isSorted && compareOrder(last[known] as readonly Json[], order) > 0) group.isSorted = false;
    last[known] = order;
    return known;
  }

  /** Gives the rows without a key to the only group that has one, or to the first of them. */
  function adopt(): void {
    const [known] = byKey.values();
    const target = known ?? (orphans[0] as number);
    const adopted = new Set(orphans.filter((group) => group !== target));
    const places = new Uint32Array(groups.length);
    const kept: RowGroup[] = [];
    for (const [index, group] of groups.entries()) {
      places[index] = kept.length;
      if (!adopted.has(index)) kept.push(group);
      else (groups[target] as RowGroup).bytes += group.bytes;
    }
    for (let row = 0; row < count; row += 1) {
      const group = groupOf[row] as number;
      groupOf[row] = places[adopted.has(group) ? target : group] as number;
    }
    if (container.order.length > 0) (groups[target] as RowGroup).isSorted = false;
    groups = kept;
  }

  return {
    add(start, end, bytes, fault) {
      if (count === starts.length) {
        starts = grow(starts, new Float64Array(2 * count));
        ends = grow(ends, new Float64Array(2 * count));
        groupOf = grow(groupOf, new Uint32Array(2 * count));
      }
      const group = groupFor(bytes, fault);
      (groups[group] as RowGroup).bytes += end - start;
      starts[count] = start;
      ends[count] = end;
      groupOf[count] = group;
      count += 1;
    },
    count: () => count,
    reset() {
      count = 0;
      groups = [];
      byKey = new Map();
      last = [];
      orphans = [];
    },
    finish() {
      if (orphans.length > 0 && byKey.size < 2) adopt();
      const ids = [...byKey.keys()];
      // Counting sort: the rows of each group stand together, in file order.
      const firsts = new Uint32Array(groups.length + 1);
      for (let row = 0; row < count; row += 1)
        firsts[(groupOf[row] as number) + 1] = (firsts[(groupOf[row] as number) + 1] as number) + 1;
      for (let group = 0; group < groups.length; group += 1)
        firsts[group + 1] = (firsts[group + 1] as number) + (firsts[group] as number);
      const next = firsts.slice();
      const order = new Uint32Array(count);
      for (let row = 0; row < count; row += 1) {
        const group = groupOf[row] as number;
        order[next[group] as number] = row;
        next[group] = (next[group] as number) + 1;
      }
      byKey = new Map();
      last = [];
      return {
        count,
        groups,
        ids,
        canBeAdopted: orphans.length > 0,
        start: (row) => starts[row] as number,
        end: (row) => ends[row] as number,
        rows: (group) => order.subarray(firsts[group] as number, firsts[group + 1] as number),
      };
    },
  };
}

function grow<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The order keys of a row. */
export function orderOf(bytes: Uint8Array, orderKeys: readonly string[]): readonly Json[] {
  return findMembers(bytes, orderKeys).map((value) => readScalar(bytes, value));
}
