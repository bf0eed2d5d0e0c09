import { NEWLINE } from '../json/bytes.ts';
import type { Source } from '../source.ts';
import type { Steps } from './need.ts';
import { readRange } from './window.ts';

const BLOCK = 256 * 1024;

/** Line and column of byte offsets of one source. Costs nothing until it is asked; each block is read once, in order. */
export interface LineIndex {
  /** 1-based line, and 1-based column in bytes, of a byte offset. */
  locate(offset: number): Steps<{ readonly line: number; readonly column: number }>;
}

/** Makes the line index of a source, or of a range of it: its first line is line 1. */
export function createLineIndex(source: Source, from = 0, to = source.size): LineIndex {
  /** By block: the number of the line that its first byte stands in, and where that line starts. */
  const firstLines: number[] = [1];
  const lineStarts: number[] = [from];
  const block = { number: -1, breaks: [] as number[] };
  let buffer: Uint8Array | undefined;

  function* load(number: number): Steps<void> {
    const start = from + number * BLOCK;
    const end = Math.min(start + BLOCK, to);
    buffer ??= new Uint8Array(Math.min(BLOCK, to - from));
    yield* readRange(source, start, end, buffer);
    const bytes = buffer.subarray(0, end - start);
    block.number = number;
    block.breaks = [];
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1))
      block.breaks.push(start + at);
    firstLines[number + 1] = (firstLines[number] as number) + block.breaks.length;
    lineStarts[number + 1] =
      block.breaks.length > 0 ? (block.breaks.at(-1) as number) + 1 : (lineStarts[number] as number);
  }

  return {
    *locate(offset) {
      const wanted = Math.floor((Math.min(offset, Math.max(to - 1, from)) - from) / BLOCK);
      while (firstLines.length <= wanted) yield* load(firstLines.length - 1);
      if (block.number !== wanted && to > from) yield* load(wanted);
      const before = countBelow(block.breaks, offset);
      const start = before === 0 ? (lineStarts[wanted] as number) : (block.breaks[before - 1] as number) + 1;
      return { line: (firstLines[wanted] as number) + before, column: offset - start + 1 };
    },
  };
}

/** How many of the ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
