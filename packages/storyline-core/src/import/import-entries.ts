import type { Steps } from '../containers/need.ts';
import { peek, positionOf, type Window } from '../containers/window.ts';
import type { RecordValue, SourceRecord } from '../format.ts';
import type { Place } from '../issue.ts';
import { compareText } from '../json/compare-text.ts';
import { parseBytes } from '../json/parse.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import {
  type BegunDocument,
  beginDocument,
  collectIssuesAt,
  type DocumentRun,
  type FindExtent,
} from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { type BuiltStoryline, checkRecord, type Envelope, importRecord } from './import-record.ts';
import { placeIn } from './import-run.ts';
import { type Entry, indexEntries } from './index-entries.ts';
import { readFrame } from './read-frame.ts';
import type { RootObject } from './read-root.ts';
import { bytesOf, type StreamRun, tellProgress } from './stream-run.ts';
import { endDocument, tellRecord } from './tell.ts';
import { reportUnmetCarriers, startVerdict, type Verdict } from './verdict.ts';

/**
 * Imports one document whose records are the entries of the map at `member`: the window shows it from its first byte to its last.
 * One pass finds the root members and where the entries lie; then each entry is read on its own, in ascending byte order of its key
 * (decision G4), so that only the largest one is ever in memory, wherever the root members stand. With `isTentative`, false for a
 * document whose structure breaks (or goes on behind its end): nothing was told of it then.
 */
export function* importEntries(
  run: StreamRun,
  window: Window,
  member: string,
  place: Omit<Place, 'source' | 'pointer'>,
  isTentative: boolean,
): Steps<boolean, ImportEvent> {
  yield* peek(window);
  const start = positionOf(window);
  const found = collectIssuesAt(run, { ...place, offset: start });
  const entries = new Map<string, Entry>();
  const root = yield* indexEntries(run, found, window, member, entries);
  if (isTentative && (root === undefined || root.broken !== undefined)) return false;
  const issues = beginDocument(run, found);
  yield { type: 'document', document: issues.document };
  const verdict = startVerdict();
  const findExtent = extentsOf(start, member, root, entries);
  const ranges = [{ start, end: window.end }];
  if (root === undefined || (issues.errors() > 0 && !run.salvage)) {
    verdict.broken = true;
    // Brackets that do not match inside of an entry can look like a break behind it: say where they are.
    for (const [key, entry] of entries) {
      if (entry.fault === undefined)
        yield* readEntry(run, issues, window, entry, appendPointer('', member, key));
    }
    yield* endDocument(run, issues, verdict, ranges, findExtent);
    return true;
  }
  const keys = [...entries.keys()].sort(compareText);
  const frame = readFrame(run, issues, { root: root.root, keys, source: run.name, at: issues.at });
  if (frame === undefined) verdict.broken = true;
  else {
    verdict.broken = frame.broken;
    const reading = { window, member, frame: frame.value, envelope: root.envelope, findExtent };
    let done = 0;
    for (const key of keys) {
      const entry = entries.get(key) as Entry;
      yield* importEntry(run, issues, verdict, reading, key, entry);
      done += entry.end - entry.start;
      yield* tellProgress(run, start + Math.floor((window.end - start) / 4 + (done * 3) / 4));
    }
    if (!verdict.broken) reportUnmetCarriers(root.envelope, issues);
  }
  yield* endDocument(run, issues, verdict, ranges, findExtent);
  return true;
}

/** What the entries of a document have in common. */
interface Reading {
  readonly window: Window;
  readonly member: string;
  readonly frame: unknown;
  readonly envelope: Envelope | undefined;
  readonly findExtent: FindExtent;
}

/** Imports one entry. A generator of its own, so that nothing of the entry stays reachable while the next one is read. */
function* importEntry(
  run: StreamRun,
  issues: BegunDocument,
  verdict: Verdict,
  { window, member, frame, envelope, findExtent }: Reading,
  key: string,
  entry: Entry,
): Steps<void, ImportEvent> {
  const pointer = appendPointer('', member, key);
  const at = placeIn(run, { ...issues.at, offset: entry.start, pointer });
  const value = yield* readEntry(run, issues, window, entry, pointer);
  let built: readonly BuiltStoryline[] | undefined;
  if (value === undefined) envelope?.met.add(pointer);
  else {
    let held: readonly RecordValue[] = [{ value: value.value, index: 0, at }];
    const values = (): readonly RecordValue[] => {
      const given = held;
      held = [];
      return given;
    };
    const record: SourceRecord<unknown> = { frame, source: run.name, key, at, values };
    if (verdict.broken) checkRecord(run, issues, record);
    else built = importRecord(run, issues, record, () => [pointer], envelope);
  }
  yield* tellRecord(run, issues, verdict, built, { pointer, offset: entry.start }, findExtent);
}

/** Parses an entry; `undefined` after an error. */
function* readEntry(
  run: StreamRun,
  issues: DocumentRun,
  window: Window,
  entry: Entry,
  pointer: string,
): Steps<{ readonly value: RecordValue['value'] } | undefined> {
  const { start, end, fault, plan } = entry;
  if (fault !== undefined && fault.code !== 'json/truncated') {
    issues.reportAt('error', fault.code, pointer, fault.message, fault.offset);
    return undefined;
  }
  const bytes = yield* bytesOf(run, window, start, end);
  const value = parseBytes(
    bytes,
    run,
    (severity, code, inside, message, offset) =>
      issues.reportAt(severity, code, pointer + inside, message, start + offset),
    plan && fault === undefined ? { plan, base: start } : undefined,
  );
  return value === undefined ? undefined : { value };
}

function extentsOf(
  start: number,
  member: string,
  root: RootObject | undefined,
  entries: ReadonlyMap<string, Entry>,
): FindExtent {
  return (pointer) => {
    const [first, second] = parsePointer(pointer) ?? [];
    const entry = first === member && second !== undefined ? entries.get(second) : undefined;
    if (entry !== undefined)
      return { pointer: appendPointer('', member, second as string), start: entry.start, end: entry.end };
    const range = first === undefined ? undefined : root?.ranges.get(first);
    if (range === undefined) return { pointer: '', start, end: start };
    return {
      pointer: appendPointer('', first as string),
      start: range.start,
      end: first === member ? range.start : range.end,
    };
  };
}
