import { unexpected } from '../containers/expect.ts';
import { BrokenStructure, type Fault } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import { skipValue } from '../containers/skip-value.ts';
import { expectEnd, expectValue, nextMember } from '../containers/walk.ts';
import { moveAnchor, peek, positionOf, type Window } from '../containers/window.ts';
import { isDigit, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../json/bytes.ts';
import type { Plan } from '../json/plan.ts';
import { appendPointer } from '../json/pointer.ts';
import { startScan } from '../json/scan-state.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { explainBreak } from './explain-break.ts';
import { readRoot, type WalkedRoot } from './read-root.ts';
import { reportNoObject } from './read-value.ts';
import { type StreamRun, tellProgress } from './stream-run.ts';

/** One entry of the map: where its value lies, and what makes it unreadable. */
export interface Entry {
  readonly start: number;
  readonly end: number;
  readonly fault: Fault | undefined;
  /** How to parse it; forgotten when the plans of a document have grown big. */
  readonly plan: Plan | undefined;
}

/** Numbers that the plans of one document may have together: some 16 MB. */
const MOST_PLANNED = 2_000_000;

/** The index pass. `undefined` when the document is no object. */
export function* indexEntries(
  run: StreamRun,
  issues: DocumentRun,
  window: Window,
  member: string,
  entries: Map<string, Entry>,
): Steps<WalkedRoot | undefined, ImportEvent> {
  const start = positionOf(window);
  try {
    const first = yield* peek(window);
    if (first === OPEN_ARRAY || first === QUOTE || isDigit(first)) {
      reportNoObject(run, issues);
      return undefined;
    }
    if (first !== OPEN_OBJECT)
      yield* unexpected(window, `"{" (a document of ${run.format.title} is an object)`, '');
    window.at += 1;
    const root = yield* readRoot(run, issues, window, {
      name: member,
      opening: OPEN_OBJECT,
      reset: () => entries.clear(),
      *walk() {
        const base = appendPointer('', member);
        let planned = 0;
        for (let isFirst = true; ; isFirst = false) {
          moveAnchor(window);
          const found = yield* nextMember(window, isFirst, run.limits, base);
          if (found === undefined) return entries.size > 0;
          const pointer = appendPointer(base, found.key);
          if (entries.has(found.key)) {
            const message = 'this key stands twice in one object; the last one counts';
            issues.reportAt('warning', 'json/duplicate-key', pointer, message, found.at);
          }
          yield* expectValue(window, pointer);
          const from = positionOf(window);
          const scan = startScan(run.limits, run.keepFloats);
          const fault = yield* skipValue(window, run.limits, scan);
          planned += scan.plan.steps.length + scan.plan.numbers.length;
          const plan = planned < MOST_PLANNED ? scan.plan : undefined;
          entries.set(found.key, { start: from, end: positionOf(window), fault, plan });
          if (fault?.code === 'json/truncated') throw yield* explainBreak(run, window, from, fault, pointer);
          yield* tellProgress(run, start + Math.floor((positionOf(window) - start) / 4));
        }
      },
    });
    if (root.broken === undefined) yield* expectEnd(window, 'the end of the document');
    return root;
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    issues.reportAt('error', error.fault.code, error.pointer, error.fault.message, error.fault.offset);
    return undefined;
  }
}
