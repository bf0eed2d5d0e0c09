import { BrokenStructure } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import { skipValue } from '../containers/skip-value.ts';
import { expectValue, nextMember } from '../containers/walk.ts';
import { moveAnchor, positionOf, type Window } from '../containers/window.ts';
import { parseBytes } from '../json/parse.ts';
import { appendPointer } from '../json/pointer.ts';
import { type Json, type MutableJsonObject, setOwn } from '../json/value.ts';
import type { ByteRange } from '../source.ts';
import { ENVELOPE_KEY, readEnvelope } from '../storyline/envelope.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { explainBreak } from './explain-break.ts';
import type { Envelope } from './import-record.ts';
import { bytesOf, type StreamRun } from './stream-run.ts';

/** The root object of a document, without the member that holds its records. */
export interface RootObject {
  readonly root: MutableJsonObject;
  readonly envelope: Envelope | undefined;
  /** Where the value of each root member lies. */
  readonly ranges: ReadonlyMap<string, ByteRange>;
}

/** A root object, and what broke it. */
export type WalkedRoot = RootObject & { readonly broken: BrokenStructure | undefined };

/** The member that holds the records. */
export interface RecordMember {
  readonly name: string;
  /** Its opening bracket, as a byte; a value of another kind is an ordinary member of the root. */
  readonly opening: number;
  /** Forgets what an earlier member of the same name gave. */
  reset(): void;
  /** Walks the records; called behind the bracket, returns behind the closing one. True when there were any. */
  walk(): Steps<boolean, ImportEvent>;
}

/**
 * Walks the root object whose bracket was passed, wherever its members stand: parses all but the one that holds the records.
 * What breaks the object is thrown as a BrokenStructure after what was read is in `into`; all else is reported.
 */
export function* readRoot(
  run: StreamRun,
  issues: DocumentRun,
  window: Window,
  member: RecordMember,
): Steps<WalkedRoot, ImportEvent> {
  const root: MutableJsonObject = {};
  const ranges = new Map<string, ByteRange>();
  let size = 0;
  let broken: BrokenStructure | undefined;
  let envelope: Json | undefined;
  let misread = false;
  try {
    for (let isFirst = true; ; isFirst = false) {
      moveAnchor(window);
      const found = yield* nextMember(window, isFirst, run.limits, '');
      if (found === undefined) break;
      const { key } = found;
      const pointer = appendPointer('', key);
      if (ranges.has(key)) {
        const message = 'this key stands twice in one object; the last one counts';
        issues.reportAt('warning', 'json/duplicate-key', pointer, message, found.at);
        if (key === member.name) member.reset();
      }
      yield* expectValue(window, pointer);
      const start = positionOf(window);
      ranges.set(key, { start, end: start });
      if (key === member.name && window.bytes[window.at] === member.opening) {
        window.at += 1;
        // Empty, it is handed over in the root, so that a reader can tell it from a missing one.
        if (yield* member.walk()) delete root[key];
        else setOwn(root, key, member.opening === 0x5b ? [] : {});
        ranges.set(key, { start, end: positionOf(window) });
        continue;
      }
      const fault = yield* skipValue(window, run.limits);
      const end = positionOf(window);
      ranges.set(key, { start, end });
      size += end - start;
      if (fault?.code === 'json/truncated') throw yield* explainBreak(run, window, start, fault, pointer);
      if (fault !== undefined) {
        issues.reportAt('error', fault.code, pointer, fault.message, fault.offset);
        continue;
      }
      if (size > run.limits.recordBytes) {
        const message = `the members of the root are longer than the limit of ${run.limits.recordBytes} bytes`;
        issues.reportAt('error', 'core/value-too-large', pointer, message, start);
        continue;
      }
      const value = parseBytes(
        yield* bytesOf(run, window, start, end),
        run,
        (severity, code, inside, message, offset) =>
          issues.reportAt(severity, code, pointer + inside, message, start + offset),
      );
      if (value === undefined) {
        misread = true;
        continue;
      }
      if (key === ENVELOPE_KEY) envelope = value;
      else setOwn(root, key, value);
    }
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    broken = error;
    // Behind a member that does not parse, a broken structure is most likely its brackets over again.
    if (!misread && !broken.isTold)
      issues.reportAt('error', error.fault.code, error.pointer, error.fault.message, error.fault.offset);
  }
  const carriers = envelope === undefined ? undefined : readEnvelope(envelope, issues.report);
  return {
    root,
    ranges,
    broken,
    envelope: carriers === undefined ? undefined : { root, carriers, met: new Set() },
  };
}
