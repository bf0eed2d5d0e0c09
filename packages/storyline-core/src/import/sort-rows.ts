import type { Steps } from '../containers/need.ts';
import { orderOf, type RowIndex } from '../containers/row-index.ts';
import { compareOrder } from '../containers/row-order.ts';
import type { Window } from '../containers/window.ts';
import type { RowsContainer } from './choose-container.ts';
import { bytesOf, type StreamRun } from './stream-run.ts';

/** Sorts the rows of a group by their order keys; equal ones keep their order in the file. */
export function* sortRows(
  run: StreamRun,
  window: Window,
  container: RowsContainer,
  index: RowIndex,
  rows: number[],
): Steps<void> {
  const keys = new Map<number, ReturnType<typeof orderOf>>();
  for (const row of rows) {
    keys.set(row, orderOf(yield* bytesOf(run, window, index.start(row), index.end(row)), container.order));
  }
  rows.sort((left, right) => compareOrder(keys.get(left) ?? [], keys.get(right) ?? []) || left - right);
}
