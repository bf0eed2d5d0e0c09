import type { Place } from '../issue.ts';
import { appendPointer, parseArrayIndex, parsePointer } from '../json/pointer.ts';
import { partAt } from '../source/join-sources.ts';
import type { ImportEvent } from './events.ts';
import type { IndexedPart } from './index-parts.ts';

/** What is told of joined files, with places in the file that it is about. Ranges stay those of the whole. */
export function localEvent(event: ImportEvent, parts: readonly IndexedPart[], member: string): ImportEvent {
  const local = (at: Place): Place => localPlace(at, parts, member);
  switch (event.type) {
    case 'issue':
      return { ...event, issue: { ...event.issue, at: local(event.issue.at) } };
    case 'storyline':
      return { ...event, at: local(event.at), document: { ...event.document, at: local(event.document.at) } };
    case 'document':
    case 'end':
      return { ...event, document: { ...event.document, at: local(event.document.at) } };
    default:
      return event;
  }
}

/** A place in the whole as a place in its file: there the only document is the root, and rows count from 0. */
function localPlace(at: Place, parts: readonly IndexedPart[], member: string): Place {
  const tokens = parsePointer(at.pointer) ?? [];
  const named = tokens[0] === member ? parseArrayIndex(tokens[1] ?? '') : undefined;
  const row = named ?? (at.record === undefined ? undefined : at.record - 1);
  const part = row === undefined ? parts[partAt(parts, at.offset ?? 0)] : partOfRow(parts, row);
  if (part === undefined) return at;
  const { record: _, offset, pointer, ...rest } = at;
  const isWhole = part.layout === 'document';
  const inFile = row === undefined ? undefined : row - part.firstRow;
  const inside = named === undefined ? pointer : appendPointer('', ...tokens.slice(2));
  return {
    ...rest,
    source: part.name,
    ...(isWhole || inFile === undefined ? {} : { record: inFile + 1 }),
    ...(offset === undefined ? {} : { offset: offset - part.start }),
    pointer:
      isWhole || named === undefined || inFile === undefined
        ? inside
        : `${appendPointer('', member, inFile)}${inside}`,
  };
}

/** The file that a row stands in: the last one that begins at or before it. */
function partOfRow(parts: readonly IndexedPart[], row: number): IndexedPart | undefined {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((parts[middle] as IndexedPart).firstRow <= row) low = middle;
    else high = middle - 1;
  }
  return parts[low];
}
