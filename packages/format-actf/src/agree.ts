import { equalJson, type Json, type Report, type StorylineHead, stringify } from '@pchronicle/storyline-core';
import { attemptIdOf } from './attempt-ids.ts';

/** The one value that all Storylines which have an opinion share; two different ones are an error that names both. */
export function agree<T extends Json>(
  heads: readonly StorylineHead[],
  pick: (head: StorylineHead) => T | undefined,
  code: 'actf/different-runs' | 'actf/different-source-documents' | 'actf/conflicting-values',
  pointer: string,
  name: string,
  report: Report,
): T | undefined {
  let agreed: { readonly value: T; readonly head: StorylineHead } | undefined;
  for (const head of heads) {
    const value = pick(head);
    if (value === undefined) continue;
    agreed ??= { value, head };
    if (equalJson(agreed.value, value)) continue;
    const say = (one: T, of: StorylineHead): string =>
      `${stringify(one).slice(0, 80)} (attempt ${JSON.stringify(attemptIdOf(of))})`;
    const message = `one document has one ${name}, but the Storylines say ${say(agreed.value, agreed.head)} and ${say(value, head)}`;
    report('error', code, pointer, message);
    break;
  }
  return agreed?.value;
}
