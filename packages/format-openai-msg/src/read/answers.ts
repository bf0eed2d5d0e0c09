import type { MessageView } from '../message/view.ts';
import type { Answer } from './part.ts';

/** Which message of a row made which calls, in the order of the row: what results are matched with (decisions O1, G11). */
export interface CallTracker {
  /** Notes an assistant message; `ref` is `undefined` for one whose calls a Storyline does not have. */
  made(view: MessageView, ref: number | 'own' | undefined): void;
  /** The call that a result answers: in the nearest message before it with the id, the n-th of equal ids for the n-th result. */
  answered(callId: string): Answer;
}

/** Starts tracking the calls of a row. */
export function trackCalls(): CallTracker {
  const latest = new Map<string, { ref: number | 'own' | undefined; calls: number[]; results: number }>();
  return {
    made(view, ref) {
      const mine = new Map<string, number[]>();
      view.calls.forEach((call, index) => {
        const calls = mine.get(call.id);
        if (calls === undefined) mine.set(call.id, [index]);
        else calls.push(index);
      });
      for (const [id, calls] of mine) latest.set(id, { ref, calls, results: 0 });
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
