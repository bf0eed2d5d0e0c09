import type { Moment, Store } from '@pchronicle/store-lance';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { didYouMean } from '../suggest.ts';
import { readTime } from './read-time.ts';

/** The moment that `--as-of` names: a tag of that name, else a version number, a time, or how long ago. */
export async function momentOf(store: Store, text: string): Promise<Moment> {
  const tags = (await store.versions()).flatMap((version) => version.tags);
  if (tags.includes(text)) return { tag: text };
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) };
  const time = readTime(text);
  if (time !== undefined) return { time: new Date(Number(time / 1_000_000n)) };
  const near = didYouMean(text, tags);
  throw new Failure(
    EXIT.store,
    'store/unknown-version',
    `--as-of ${JSON.stringify(text)} is no tag of this store, no version number, and no time`,
    { hint: near ?? 'pchronicle store versions lists what is kept' },
  );
}
