import type { Steps } from '../containers/need.ts';
import { buildRowIndex, type RowIndex } from '../containers/row-index.ts';
import { describeRowsTooLarge } from '../containers/row-order.ts';
import { peek, positionOf, type Window } from '../containers/window.ts';
import type { RecordValue, SourceRecord } from '../format.ts';
import { parseBytes } from '../json/parse.ts';
import { appendPointer, parseArrayIndex, parsePointer } from '../json/pointer.ts';
import type { RowsContainer } from './choose-container.ts';
import { collectIssuesAt, type DocumentRun, type FindExtent, startDocument } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import type { Envelope } from './import-record.ts';
import { importRowGroup } from './import-row-group.ts';
import { placeIn } from './import-run.ts';
import { indexRows } from './index-rows.ts';
import { readRowsFrame } from './read-frame.ts';
import { openRows } from './row-bytes.ts';
import { rowExtents } from './row-extents.ts';
import { sortRows } from './sort-rows.ts';
import { type StreamRun, tellProgress } from './stream-run.ts';
import { endDocument, tellIssues, tellRecord } from './tell.ts';
import { reportUnbound, reportUnmetCarriers, startVerdict } from './verdict.ts';

/**
 * Imports rows that are gathered by a key, wherever they stand in the file: one pass notes where they lie (the index is all that
 * grows with the file), then each group is one document, its rows handed over in ascending order. What belongs to the file as a whole
 * (its root members, a broken structure) is reported first; an error in the root rejects the file.
 */
export function* importRows(
  run: StreamRun,
  window: Window,
  container: RowsContainer,
): Steps<void, ImportEvent> {
  yield* peek(window);
  const start = positionOf(window);
  const shared = collectIssuesAt(run);
  const builder = buildRowIndex(container);
  const root = yield* indexRows(run, shared, window, container, builder);
  const index = builder.finish();
  const findExtent = rowExtents(container, root, index, start);
  if (run.reader.carriers === undefined) checkCarriers(root?.envelope, container, index, shared);
  // Where the rows themselves break off, those before the break are good; what stands in the root holds for all of them.
  const breaksInRows = root?.broken?.pointer.startsWith(appendPointer('', container.member)) === true;
  const failed = root !== undefined && shared.errors() > (breaksInRows && !root.broken?.isTold ? 1 : 0);
  const isEmpty = index.count === 0 && shared.errors() > 0;
  const frame =
    failed || isEmpty
      ? undefined
      : readRowsFrame(run, shared, container.in, index.groups, index.count, root?.root);
  if (frame === undefined) return yield* rejectFile(run, shared, start, findExtent);
  yield* tellIssues(run, shared, findExtent);
  let done = 0;
  for (const [group, { bytes }] of index.groups.entries()) {
    yield* importGroup(run, window, container, index, group, frame.value, root?.envelope, findExtent);
    done += bytes;
    yield* tellProgress(run, Math.floor(window.end / 4 + (done * 3) / 4));
  }
  reportUnmetCarriers(root?.envelope, shared);
  yield* tellIssues(run, shared, findExtent);
}

/** The file as one rejected document. */
function* rejectFile(
  run: StreamRun,
  shared: DocumentRun,
  start: number,
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  const issues = startDocument(run, { offset: start });
  yield { type: 'document', document: issues.document };
  const whole = { ...shared, document: issues.document };
  yield* endDocument(
    run,
    whole,
    { ...startVerdict(true), broken: true },
    [{ start, end: run.source.size }],
    findExtent,
  );
}

/** Imports the rows of one group as one document. */
export function* importGroup(
  run: StreamRun,
  window: Window,
  container: RowsContainer,
  index: RowIndex,
  group: number,
  frame: unknown,
  envelope: Envelope | undefined,
  findExtent: FindExtent,
): Steps<void, ImportEvent> {
  const { key, isSorted, bytes, fault } = index.groups[group] as RowIndex['groups'][number];
  const rows = [...index.rows(group)];
  const first = rows[0] as number;
  const numbered = container.in === 'member' ? {} : { record: first + 1 };
  const issues = startDocument(run, { ...numbered, offset: index.start(first) }, key);
  yield { type: 'document', document: issues.document };
  const verdict = startVerdict(true);
  const pointerOf = (row: number): string => appendPointer('', container.member, row);
  const ranges = rows.map((row) => ({ start: index.start(row), end: index.end(row) }));
  if (fault !== undefined && fault.code !== 'json/truncated') {
    issues.reportAt('error', fault.code, pointerOf(first), fault.message, fault.offset);
    verdict.broken = true;
  } else if (bytes > run.limits.recordBytes) {
    issues.reportAt(
      'error',
      'core/value-too-large',
      pointerOf(first),
      describeRowsTooLarge(bytes, run.limits),
      index.start(first),
    );
    verdict.broken = true;
  } else {
    if (!isSorted) yield* sortRows(run, window, container, index, rows);
    const readRow = yield* openRows(run, window, index, rows);
    const place = { ...numbered, offset: index.start(first), pointer: pointerOf(first) };
    const recordOf = (some: readonly number[], to: DocumentRun): SourceRecord<unknown> => ({
      frame,
      source: run.name,
      at: placeIn(run, { ...place, pointer: pointerOf(some[0] ?? first) }),
      ...(key === undefined ? {} : { key }),
      *values(): Generator<RecordValue> {
        for (const row of some) {
          const start = index.start(row);
          const pointer = pointerOf(row);
          const value = parseBytes(readRow(row), run, (severity, code, inside, message, offset) =>
            to.reportAt(severity, code, pointer + inside, message, start + offset),
          );
          if (value === undefined) continue;
          const record = container.in === 'member' ? {} : { record: row + 1 };
          yield { value, index: row, at: placeIn(run, { ...record, offset: start, pointer }) };
        }
      },
    });
    const built = importRowGroup(run, issues, { rows, pointerOf, recordOf }, envelope);
    yield* tellRecord(run, issues, verdict, built, place, findExtent);
  }
  yield* endDocument(run, issues, verdict, ranges, findExtent);
}

/** Carriers of an envelope over rows are the rows themselves, unless the reader names others. */
function checkCarriers(
  envelope: Envelope | undefined,
  container: RowsContainer,
  index: RowIndex,
  shared: DocumentRun,
): void {
  for (const carrier of envelope?.carriers.keys() ?? []) {
    const [first, second = '', ...rest] = parsePointer(carrier) ?? [];
    const row = parseArrayIndex(second);
    if (first === container.member && rest.length === 0 && row !== undefined && row < index.count) continue;
    reportUnbound(shared, carrier);
  }
}
