import { createLineIndex, type LineIndex } from '../containers/line-index.ts';
import type { Steps } from '../containers/need.ts';
import { openWindow } from '../containers/window.ts';
import { appendPointer, parseArrayIndex, parsePointer } from '../json/pointer.ts';
import { partAt } from '../source/join-sources.ts';
import type { Source, SourcePart } from '../source.ts';
import type { RowsContainer } from './choose-container.ts';
import { collectIssuesAt, type FindExtent } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { importGroup } from './import-rows.ts';
import { indexParts } from './index-parts.ts';
import { localEvent } from './local-place.ts';
import { readRowsFrame } from './read-frame.ts';
import { type StreamRun, tellProgress } from './stream-run.ts';
import { tellIssues } from './tell.ts';

/**
 * Imports several files as one: the rows of all of them (a file that is one document is one row) are gathered by their key, wherever they
 * stand, and each group is one document. What is told names the file that it is about, by places in that file.
 */
export function* importJoined(base: StreamRun, parts: readonly SourcePart[]): Steps<void, ImportEvent> {
  const container = base.format.containers.find(
    (each): each is RowsContainer => each.kind === 'rows' && each.in === 'array',
  );
  if (base.format.joins !== true || container === undefined)
    throw new TypeError(`the format ${base.format.id} does not join sources`);
  const run: StreamRun = { ...base, lineIndex: lineIndexOf(base.source, parts) };
  yield* joinedSteps(run, container, parts);
  base.documents = run.documents;
  base.errors = run.errors;
}

function* joinedSteps(
  run: StreamRun,
  container: RowsContainer,
  given: readonly SourcePart[],
): Steps<void, ImportEvent> {
  const shared = collectIssuesAt(run);
  const { parts, index } = yield* indexParts(run, shared, container, given);
  const findExtent: FindExtent = (pointer) => {
    const [member, token = ''] = parsePointer(pointer) ?? [];
    const row = member === container.member ? parseArrayIndex(token) : undefined;
    if (row === undefined || row >= index.count) return undefined;
    return {
      pointer: appendPointer('', container.member, row),
      start: index.start(row),
      end: index.end(row),
      record: row + 1,
    };
  };
  const isLines = parts.every(({ layout }) => layout === 'lines');
  const frame = readRowsFrame(run, shared, isLines ? 'lines' : 'array', index.groups, index.count);
  const told = function* (steps: Steps<void, ImportEvent>): Steps<void, ImportEvent> {
    let answer: unknown;
    for (let step = steps.next(); step.done !== true; step = steps.next(answer)) {
      const { value } = step;
      answer =
        value.type === 'read' || value.type === 'wait'
          ? yield value
          : yield localEvent(value, parts, container.member);
    }
  };
  yield* told(tellIssues(run, shared, findExtent));
  if (frame === undefined) return;
  const window = openWindow(run.source);
  let done = 0;
  for (const [group, { bytes }] of index.groups.entries()) {
    yield* told(importGroup(run, window, container, index, group, frame.value, undefined, findExtent));
    done += bytes;
    yield* tellProgress(run, Math.floor(run.source.size / 4 + (done * 3) / 4));
  }
}

/** Lines are counted in each file by itself; only the last file that was asked for is remembered. */
function lineIndexOf(source: Source, parts: readonly SourcePart[]): LineIndex {
  let which = -1;
  let lines: LineIndex | undefined;
  return {
    *locate(offset) {
      const at = partAt(parts, offset);
      const part = parts[at] as SourcePart;
      if (lines === undefined || at !== which) {
        which = at;
        lines = createLineIndex(source, part.start, part.end);
      }
      return yield* lines.locate(offset);
    },
  };
}
