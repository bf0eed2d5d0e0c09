import type { Moment, Store } from '@pchronicle/store-lance';
import { EXIT } from '../exit.ts';
import { Failure, usageFailure } from '../failure.ts';
import { didYouMean } from '../suggest.ts';
import { readTime } from './read-time.ts';

/** The moment that `--as-of` names: a tag of that name, else a version number, a time, or how long ago. */
export async function momentOf(store: Store, text: string): Promise<Moment> {
  const tags = (await store.versions()).flatMap((version) => version.tags);
  if (tags.includes(text)) return { tag: text };
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) };
  const time = readTime(text);
  if (time !== undefined) return { time: new Date(Number(time / 1_000_000n)) };
  // What could be a tag may have been one.
  if (!/^[a-z0-9][\w.-]*$/i.test(text) || /^\d+[a-z]?$|^\d{4}-\d{2}/i.test(text)) {
    throw usageFailure(
      'cli/bad-moment',
      `--as-of ${JSON.stringify(text)} is no version number, no time, and cannot be a tag`,
      'write 5, 2026-08-01, 2026-08-01T12:00:00Z, 3d for three days ago, or the name of a tag',
    );
  }
  const near = didYouMean(text, tags);
  throw new Failure(
    EXIT.store,
    'store/unknown-version',
    `--as-of ${JSON.stringify(text)} is no tag of this store, no version number, and no time`,
    { hint: near ?? 'pchronicle store versions lists what is kept' },
  );
}
