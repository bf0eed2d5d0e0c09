import type { MessageView } from '../message/view.ts';
import type { Answer } from './part.ts';

/** Which message of a row made which calls, in the order of the row: what results are matched with (decisions O1, G11). */
export interface CallTracker {
  /** Notes an assistant message; `ref` is `undefined` for one whose calls a Storyline does not have. */
  made(view: MessageView, ref: number | 'own' | undefined): void;
  /** The call that a result answers: in the nearest message before it with the id, the n-th of equal ids for the n-th result. */
  answered(callId: string): Answer;
}

/** The calls of one id in one message. */
interface Made {
  readonly occurrence: object;
  readonly ref: number | 'own' | undefined;
  readonly calls: number[];
  results: number;
}

/** Starts tracking the calls of a row. */
export function trackCalls(): CallTracker {
  const latest = new Map<string, Made>();
  return {
    made(view, ref) {
      // A message may stand in a row twice; each time its calls are new ones.
      const occurrence = {};
      for (const [index, { id }] of view.calls.entries()) {
        const known = latest.get(id);
        if (known?.occurrence === occurrence) known.calls.push(index);
        else latest.set(id, { occurrence, ref, calls: [index], results: 0 });
      }
    },
    answered(callId) {
      const made = latest.get(callId);
      if (made === undefined) return undefined;
      const call = made.calls[Math.min(made.results, made.calls.length - 1)] ?? 0;
      made.results += 1;
      if (made.ref === undefined) return undefined;
      return made.ref === 'own' ? { own: call } : { ref: made.ref, call };
    },
  };
}
