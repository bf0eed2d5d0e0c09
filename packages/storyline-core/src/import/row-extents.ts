import type { RowIndex } from '../containers/row-index.ts';
import { appendPointer, parseArrayIndex, parsePointer } from '../json/pointer.ts';
import type { RowsContainer } from './choose-container.ts';
import type { FindExtent } from './document-run.ts';
import type { RootObject } from './read-root.ts';

/** Where what a pointer names lies in a file of rows: in its row, in a member of the root, or nowhere but in the file. */
export function rowExtents(
  container: RowsContainer,
  root: RootObject | undefined,
  index: RowIndex,
  start: number,
): FindExtent {
  return (pointer) => {
    const [first, second = ''] = parsePointer(pointer) ?? [];
    const row = first === container.member ? parseArrayIndex(second) : undefined;
    if (row !== undefined && row < index.count) {
      const extent = {
        pointer: appendPointer('', container.member, row),
        start: index.start(row),
        end: index.end(row),
      };
      return container.in === 'member' ? extent : { ...extent, record: row + 1 };
    }
    const range = first === undefined ? undefined : root?.ranges.get(first);
    if (range === undefined) return { pointer: '', start, end: start };
    return {
      pointer: appendPointer('', first as string),
      start: range.start,
      end: first === container.member ? range.start : range.end,
    };
  };
}
