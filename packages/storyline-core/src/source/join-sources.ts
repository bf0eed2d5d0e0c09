import { NEWLINE } from '../json/bytes.ts';
import type { Source, SourcePart } from '../source.ts';

/**
 * Several sources as one: their bytes one behind the other, a line break between two. Read by a format that joins (`Format.joins`), rows of
 * one group may stand in any of them, and every issue names the file it is about. The whole has the name of the first.
 */
export function joinSources(sources: readonly Source[]): Source {
  const parts: SourcePart[] = [];
  let size = 0;
  for (const source of sources) {
    const start = parts.length === 0 ? 0 : size + 1;
    size = start + source.size;
    parts.push({ name: source.name, start, end: size });
  }
  /** The part to read from, where in it, and how much; at a line break between two parts nothing is read. */
  const find = (position: number, length: number) => {
    const index = partAt(parts, position);
    const part = parts[index];
    const source = sources[index];
    if (part === undefined || source === undefined || position >= size) return undefined;
    return { source, at: position - part.start, length: Math.min(length, part.end - position) };
  };
  const breakInto = (target: Uint8Array): number => {
    target[0] = NEWLINE;
    return 1;
  };
  const read = (target: Uint8Array, position: number): number | Promise<number> => {
    const found = find(position, target.length);
    if (found === undefined || target.length === 0) return 0;
    return found.length === 0
      ? breakInto(target)
      : found.source.read(target.subarray(0, found.length), found.at);
  };
  const joined: Source = { name: sources[0]?.name ?? '', size, parts, read };
  if (!sources.every(({ readSync }) => readSync !== undefined)) return joined;
  return {
    ...joined,
    readSync(target, position) {
      const found = find(position, target.length);
      if (found === undefined || target.length === 0) return 0;
      if (found.length === 0) return breakInto(target);
      return found.source.readSync?.(target.subarray(0, found.length), found.at) ?? 0;
    },
  };
}

/** The part that a position lies in; the line break behind a part belongs to it. */
export function partAt(parts: readonly SourcePart[], position: number): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((parts[middle] as SourcePart).start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
