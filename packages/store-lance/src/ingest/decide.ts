import type { Issue } from '@pchronicle/storyline-core';
import type { KnownRow, KnownView } from './known-rows.ts';
import type { PendingDocument, PendingStory } from './pending.ts';

/** Decides what happens with a Storyline, by the newest row of its key and by what other sources gave (store.md, Identity). */
export function decideStory(
  story: PendingStory,
  known: KnownView,
  options: { readonly skipCopies: boolean; report(issue: Issue): void },
): void {
  const newest = known.byKey(story.key);
  if (newest !== undefined && !newest.deleted) {
    story.outcome = newest.hash === story.hash ? 'unchanged' : 'replaced';
    return;
  }
  const original = known
    .byDocumentId(story.documentId)
    .find((row) => row.sourceId !== story.sourceId && !row.deleted && row.hash === story.hash);
  if (original === undefined) {
    story.outcome = 'new';
    return;
  }
  story.outcome = options.skipCopies ? 'skipped-copy' : 'copy';
  options.report({
    code: options.skipCopies ? 'store/skipped-copy' : 'store/copy',
    severity: 'info',
    message: `"${story.documentId}" is there already with the same content, from another source (document key ${original.key}); it was ${
      options.skipCopies ? 'left out' : 'imported too'
    }`,
    at: story.at,
  });
}

/**
 * The Storylines that a complete source document gave before and no longer gives: their keys get a tombstone.
 * `given` holds all keys that the import has met so far; a Storyline that moved to another document of the source is not gone.
 */
export function vanishedRows(
  document: PendingDocument,
  known: KnownView,
  given: ReadonlySet<string>,
): KnownRow[] {
  if (document.identity === undefined || !document.complete) return [];
  const { sourceId, identity } = document;
  return known
    .bySourceDocument({ sourceId, name: identity })
    .filter((row) => !row.deleted && !given.has(row.key));
}
