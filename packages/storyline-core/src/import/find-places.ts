import type { Steps } from '../containers/need.ts';
import type { Place } from '../issue.ts';
import { locatePointers } from '../json/locate.ts';
import type { Extent, FindExtent, Waiting } from './document-run.ts';

/** Where places are looked up: the bytes of an input, and its lines. */
export interface PlaceFinder {
  bytes(start: number, end: number): Steps<Uint8Array>;
  line(offset: number): Steps<{ readonly line: number; readonly column: number }>;
  /** Values of more bytes than this are not looked into. */
  readonly most: number;
}

/** Where the waiting issues lie in the input; each value they lie in is read and walked once. */
export function* findPlaces(
  waiting: readonly Waiting[],
  findExtent: FindExtent,
  finder: PlaceFinder,
): Steps<readonly Partial<Place>[]> {
  const offsets = waiting.map((issue) => issue.offset);
  const extents = waiting.map((issue) => findExtent(issue.pointer));
  const byExtent = new Map<number, { readonly extent: Extent; readonly indexes: number[] }>();
  for (const [index, extent] of extents.entries()) {
    if (extent === undefined || offsets[index] !== undefined) continue;
    const group = byExtent.get(extent.start);
    if (group === undefined) byExtent.set(extent.start, { extent, indexes: [index] });
    else group.indexes.push(index);
  }
  for (const { extent, indexes } of byExtent.values()) {
    const pointers = indexes.map((index) => (waiting[index]?.pointer ?? '').slice(extent.pointer.length));
    const isWanted = pointers.some((pointer) => pointer !== '') && extent.end - extent.start <= finder.most;
    const found = isWanted ? locatePointers(yield* finder.bytes(extent.start, extent.end), pointers) : [];
    for (const [which, index] of indexes.entries()) offsets[index] = extent.start + (found[which] ?? 0);
  }
  const places: Partial<Place>[] = [];
  const inOrder = [...offsets.keys()].sort((left, right) => (offsets[left] ?? 0) - (offsets[right] ?? 0));
  for (const index of inOrder) {
    const offset = offsets[index];
    const record = extents[index]?.record;
    places[index] = {
      ...(record === undefined ? {} : { record }),
      ...(offset === undefined ? {} : { offset, ...(yield* finder.line(offset)) }),
    };
  }
  return places;
}
