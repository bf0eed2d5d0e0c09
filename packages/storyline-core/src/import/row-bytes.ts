import type { Steps } from '../containers/need.ts';
import type { RowIndex } from '../containers/row-index.ts';
import { held, readRange, type Window } from '../containers/window.ts';
import { changedWhileRead } from '../source/changed.ts';
import { InputBroke } from './guard-reader.ts';
import type { StreamRun } from './stream-run.ts';

/** Rows closer together than this are read at once. */
const GAP = 16 * 1024;
/** Most that is read at once. */
const MOST = 1024 * 1024;

/** Gives the bytes of one row of a group, valid until the next call. */
export type ReadRow = (row: number) => Uint8Array;

/**
 * Prepares to read the rows of one group, in the given order. Where the source can be read without waiting, rows are read when they
 * are asked for, neighbours together; else all of them are read now.
 */
export function* openRows(
  run: StreamRun,
  window: Window,
  index: RowIndex,
  rows: readonly number[],
): Steps<ReadRow> {
  const { source } = run;
  const start = (row: number): number => index.start(row);
  const end = (row: number): number => index.end(row);
  if (source.readSync !== undefined) {
    let bytes = new Uint8Array(0);
    let base = 0;
    let next = 0;
    return (row) => {
      const atHand = held(window, start(row), end(row));
      if (atHand !== undefined) return atHand;
      if (rows[next] !== row) next = rows[next + 1] === row ? next + 1 : rows.indexOf(row);
      if (start(row) < base || end(row) > base + bytes.length) {
        base = start(row);
        bytes = readNow(run, base, endOfRun(index, rows, next), bytes);
      }
      return bytes.subarray(start(row) - base, end(row) - base);
    };
  }
  let total = 0;
  for (const row of rows) total += end(row) - start(row);
  const all = new Uint8Array(total);
  const places = new Map<number, number>();
  let filled = 0;
  for (const row of rows) {
    const length = end(row) - start(row);
    yield* readRange(source, start(row), end(row), all.subarray(filled, filled + length));
    places.set(row, filled);
    filled += length;
  }
  return (row) => {
    const from = places.get(row) ?? 0;
    return all.subarray(from, from + end(row) - start(row));
  };
}

/** Where to stop reading when the row at `which` is wanted: behind those of its followers that stand close by. */
function endOfRun(index: RowIndex, rows: readonly number[], which: number): number {
  const first = index.start(rows[which] as number);
  let end = index.end(rows[which] as number);
  for (let next = which + 1; next < rows.length; next += 1) {
    const row = rows[next] as number;
    const gap = index.start(row) - end;
    if (gap < 0 || gap > GAP || index.end(row) - first > MOST) break;
    end = index.end(row);
  }
  return end;
}

function readNow(run: StreamRun, start: number, end: number, reuse: Uint8Array): Uint8Array<ArrayBuffer> {
  const { source } = run;
  const whole =
    reuse.buffer.byteLength >= end - start
      ? new Uint8Array(reuse.buffer as ArrayBuffer)
      : new Uint8Array(end - start);
  const target = whole.subarray(0, end - start);
  try {
    for (let position = start; position < end; ) {
      const count = source.readSync?.(target.subarray(position - start), position) ?? 0;
      if (count <= 0) throw changedWhileRead(source, position);
      position += count;
    }
  } catch (error) {
    throw new InputBroke('reading a row failed', { cause: error });
  }
  return target;
}
