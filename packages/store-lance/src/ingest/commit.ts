import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { tombstoneRow } from '../storyline-rows.ts';
import { appendRows } from './append-rows.ts';
import { decideStory, vanishedRows } from './decide.ts';
import {
  type KnownRow,
  type KnownView,
  knownRows,
  type SourceDocumentId,
  type WantedRows,
} from './known-rows.ts';
import type { BatchLimits, IngestOptions, IngestProgress, IngestSummary } from './options.ts';
import { isWritten, type PendingDocument, type PendingStory } from './pending.ts';
import { partWriter } from './write-parts.ts';

/** Writes the documents of one import. */
export interface Committer {
  /** Writes calls and steps of a document that is not complete yet; they stay invisible until its commit. */
  writeAhead(stories: readonly PendingStory[]): Promise<void>;
  /** Commits documents together; returns as soon as the next batch may be read, the writing goes on behind. */
  commit(documents: readonly PendingDocument[]): Promise<void>;
  /** Waits for what is being written; throws what went wrong. */
  settled(): Promise<void>;
  /** Whether a write failed. */
  failed(): boolean;
  progress(phase: IngestProgress['phase'], bytes?: number): void;
  summary(): {
    documents: Omit<IngestSummary['documents'], 'rejected' | 'elsewhere'>;
    rows: IngestSummary['rows'];
  };
}

/** Opens the writing side of an import (store.md, Commit protocol). */
export async function committer(
  context: StoreContext,
  options: IngestOptions,
  limits: BatchLimits,
): Promise<Committer> {
  const known = await guarded(context, `read the store ${context.location.shown}`, () => knownRows(context));
  /** Every key of the source met in this import. */
  const given = new Set<string>();
  const documents = { new: 0, replaced: 0, unchanged: 0, copies: 0, tombstoned: 0 };
  const rows = { runs: 0, steps: 0, tool_calls: 0 };
  let bytes = 0;
  let written = 0;
  let running: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

  const progress = (phase: IngestProgress['phase']): void => {
    const { new: added, replaced, unchanged } = documents;
    options.onProgress?.({ phase, bytes, documents: added + replaced + unchanged, rows: written });
  };

  const find = (wanted: WantedRows): Promise<KnownView> =>
    guarded(context, `read the store ${context.location.shown}`, () => known.find(wanted));

  const decide = async (
    stories: readonly PendingStory[],
    sourceDocuments: readonly SourceDocumentId[],
  ): Promise<KnownView> => {
    for (const story of stories) given.add(story.key);
    const view = await find({
      keys: new Set(stories.map((story) => story.key)),
      documentIds: new Set(stories.map((story) => story.documentId)),
      sourceDocuments,
    });
    for (const story of stories) {
      if (story.outcome !== undefined) continue;
      decideStory(story, view, {
        skipCopies: options.skipCopies === true,
        report: (issue) => options.onIssue?.(issue),
      });
      if (!isWritten(story) || options.dryRun === true) story.storyline = undefined;
    }
    return view;
  };

  const parts = partWriter(context, options, limits, {
    begins: (part) => progress(part),
    writes(count) {
      written += count;
    },
  });

  const commit = async (batch: readonly PendingDocument[]): Promise<void> => {
    const stories = batch.flatMap((document) => document.stories);
    const identities = batch.flatMap(({ sourceId, identity }) =>
      identity === undefined ? [] : [{ sourceId, name: identity }],
    );
    let view = await decide(stories, identities);
    if (options.dryRun !== true) await parts.write(stories, limits.characters);
    const decidedAt = known.version();
    // Revisions are read just before the commit: another process may have committed meanwhile.
    view = await find({
      keys: new Set(stories.map((story) => story.key)),
      documentIds: new Set(stories.map((story) => story.documentId)),
      sourceDocuments: identities,
    });
    const moved = known.version() !== decidedAt;
    const commits: { readonly row: Row; readonly known: KnownRow }[] = [];
    for (const document of batch) {
      for (const story of document.stories) {
        const newest = view.byKey(story.key);
        if (
          moved &&
          isWritten(story) &&
          newest !== undefined &&
          !newest.deleted &&
          newest.hash === story.hash
        ) {
          // The other process brought the same content: what was written here stays an orphan.
          story.outcome = 'unchanged';
        }
        count(story);
        if (!isWritten(story) || story.runRow === undefined) continue;
        const revision = (newest?.revision ?? 0n) + 1n;
        const sourceDocument = document.identity ?? '';
        commits.push({
          row: { ...story.runRow, revision, source_document: sourceDocument },
          known: {
            key: story.key,
            revision,
            ingestId: story.ingestId,
            hash: story.hash,
            deleted: false,
            documentId: story.documentId,
            sourceId: story.sourceId,
            sourceDocument,
          },
        });
        rows.runs += 1;
        rows.steps += story.steps;
        rows.tool_calls += story.calls;
      }
      for (const gone of vanishedRows(document, view, given)) {
        documents.tombstoned += 1;
        options.onIssue?.({
          code: 'store/vanished',
          severity: 'info',
          message: `"${gone.documentId}" is no longer given by its source document "${gone.sourceDocument}" and was removed (document key ${gone.key})`,
          at: document.document.at,
        });
        const tombstone = tombstoneRow(gone);
        commits.push({ row: tombstone.row, known: tombstone.known });
        rows.runs += 1;
      }
    }
    if (options.dryRun === true || commits.length === 0) return;
    progress('commit');
    const version = await appendRows(
      context,
      'runs',
      commits.map((entry) => entry.row),
    );
    written += commits.length;
    known.committed(
      commits.map((entry) => entry.known),
      version,
    );
    progress('committed');
  };

  const count = (story: PendingStory): void => {
    if (story.outcome === 'new' || story.outcome === 'copy') documents.new += 1;
    if (story.outcome === 'replaced') documents.replaced += 1;
    if (story.outcome === 'unchanged') documents.unchanged += 1;
    if (story.outcome === 'copy' || story.outcome === 'skipped-copy') documents.copies += 1;
  };

  const settled = async (): Promise<void> => {
    await running;
    if (failure !== undefined) throw failure.error;
  };

  const start = (action: () => Promise<void>): void => {
    running = running.then(async () => {
      if (failure !== undefined) return;
      try {
        await action();
      } catch (error) {
        failure = { error };
      }
    });
  };

  return {
    async writeAhead(stories) {
      await settled();
      await decide(stories, []);
      // The Storyline itself is big: smaller slices make up for it.
      await parts.write(stories, limits.characters / 2);
    },
    async commit(batch) {
      await settled();
      start(() => commit(batch));
    },
    settled,
    failed: () => failure !== undefined,
    progress(phase, read) {
      if (read !== undefined) bytes = read;
      progress(phase);
    },
    summary: () => ({ documents, rows }),
  };
}
