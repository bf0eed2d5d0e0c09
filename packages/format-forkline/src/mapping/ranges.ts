import { isJsonArray, type Json } from '@pchronicle/storyline-core';

/** Positions in ascending order as short JSON: a number for one, `[first, last]` for a run of them. */
export type Ranges = readonly (number | readonly [number, number])[];

/** Gathers ascending positions. */
export interface RangeBuilder {
  add(position: number): void;
  build(): Ranges;
}

/** Starts an empty list of ranges. */
export function rangeBuilder(): RangeBuilder {
  const ranges: [number, number][] = [];
  return {
    add(position) {
      const last = ranges[ranges.length - 1];
      if (last !== undefined && last[1] === position - 1) last[1] = position;
      else ranges.push([position, position]);
    },
    build: () => ranges.map(([first, last]) => (first === last ? first : [first, last])),
  };
}

/** Reads ranges out of a layout of unknown origin; positions outside 0…count-1 are left out. */
export function* positionsIn(ranges: Json | undefined, count: number): Generator<number> {
  if (!isJsonArray(ranges)) return;
  for (const range of ranges) {
    const [first, last] = isJsonArray(range) ? range : [range, range];
    if (typeof first !== 'number' || typeof last !== 'number') continue;
    for (let at = Math.max(0, first); at <= Math.min(last, count - 1); at += 1) yield at;
  }
}
