import type { RowsContainer } from '../import/choose-container.ts';
import { findMembers, readScalar } from '../json/shallow.ts';
import type { Json } from '../json/value.ts';
import type { Fault } from './fault.ts';
import { gatherGroups } from './gather-groups.ts';
import { planLook, type RowLook } from './group-keys.ts';
import { compareOrder } from './row-order.ts';

/** Where the rows of a file lie, gathered by group. Twenty bytes a row; nothing of the rows themselves is kept. */
export interface RowIndex {
  /** How many rows there are. */
  readonly count: number;
  /** Groups in order of first appearance; a row without a group key is one of its own. */
  readonly groups: readonly RowGroup[];
  /** The keys of the groups that have one, text and number apart, and the names that link rows, with `>` in front. */
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
  const look = planLook(container);
  let starts = new Float64Array(1024);
  let ends = new Float64Array(1024);
  let groupOf = new Uint32Array(1024);
  let count = 0;
  let gatherer = gatherGroups();
  /** By number of the gatherer. */
  let groups: RowGroup[] = [];
  /** By the same: the order keys of the last row. */
  let last: (readonly Json[])[] = [];

  function groupFor(bytes: Uint8Array | undefined, fault: Fault | undefined): number {
    const { tells, order } = bytes === undefined ? NOTHING : look(bytes);
    const number = gatherer.add(fault === undefined ? tells : { ...tells, isOrphan: false });
    const group = groups[number];
    if (group === undefined)
      groups.push({
        key: undefined,
        isSorted: true,
        bytes: 0,
        fault: tells.key === undefined ? fault : undefined,
      });
    else if (compareOrder(last[number] as readonly Json[], order) > 0) group.isSorted = false;
    last[number] = order;
    return number;
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
      gatherer = gatherGroups();
      groups = [];
      last = [];
    },
    finish() {
      const { keys, places } = gatherer.settle();
      const ids = gatherer.ids();
      const canBeAdopted = gatherer.canBeAdopted();
      const settled: RowGroup[] = [];
      for (const [number, group] of groups.entries()) {
        const place = places[number] as number;
        const known = settled[place];
        if (known === undefined) settled.push({ ...group, key: keys[place] });
        else {
          known.bytes += group.bytes;
          known.isSorted = container.order.length === 0;
        }
      }
      // Counting sort: the rows of each group stand together, in file order.
      const firsts = new Uint32Array(settled.length + 1);
      for (let row = 0; row < count; row += 1) {
        const place = places[groupOf[row] as number] as number;
        groupOf[row] = place;
        firsts[place + 1] = (firsts[place + 1] as number) + 1;
      }
      for (let group = 0; group < settled.length; group += 1)
        firsts[group + 1] = (firsts[group + 1] as number) + (firsts[group] as number);
      const next = firsts.slice();
      const order = new Uint32Array(count);
      for (let row = 0; row < count; row += 1) {
        const group = groupOf[row] as number;
        order[next[group] as number] = row;
        next[group] = (next[group] as number) + 1;
      }
      gatherer = gatherGroups();
      groups = [];
      last = [];
      return {
        count,
        groups: settled,
        ids,
        canBeAdopted,
        start: (row) => starts[row] as number,
        end: (row) => ends[row] as number,
        rows: (group) => order.subarray(firsts[group] as number, firsts[group + 1] as number),
      };
    },
  };
}

/** What is known of a row that breaks a limit. */
const NOTHING: RowLook = { tells: { key: undefined, names: [], isOrphan: false }, order: [] };

function grow<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The order keys of a row. */
export function orderOf(bytes: Uint8Array, orderKeys: readonly string[]): readonly Json[] {
  return findMembers(bytes, orderKeys).map((value) => readScalar(bytes, value));
}
