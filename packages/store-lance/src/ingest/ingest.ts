import type { ImportEvent, SourceDocument } from '@pchronicle/storyline-core';
import type { StoreContext } from '../context.ts';
import { rejectShareOf, shareOf } from '../identity.ts';
import { refreshIndexes } from '../indexes/refresh-indexes.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { type Committer, committer } from './commit.ts';
import { identities } from './identities.ts';
import { type BatchLimits, DEFAULT_BATCH, type IngestOptions, type IngestSummary } from './options.ts';
import type { PendingDocument } from './pending.ts';

/**
 * Takes the events of a reading driver into the store: each source document whole or not at all.
 *
 * Documents wait in memory until a batch is full, then are committed together; a document too big to wait has its calls and steps written
 * ahead, invisible until its rows in `runs` are there. While one batch is written the next is read.
 * Throws a StoreError when the store fails, and what `events` throws; everything committed before stays, and importing again completes it.
 */
export async function ingest(
  context: StoreContext,
  events: AsyncIterable<ImportEvent> | Iterable<ImportEvent>,
  options: IngestOptions,
): Promise<IngestSummary> {
  const started = performance.now();
  const limits: BatchLimits = { ...DEFAULT_BATCH, ...options.batch };
  const { signal, sourceId } = options;
  const sourceOf = typeof sourceId === 'string' ? () => sourceId : sourceId;
  const pending = (document: SourceDocument): PendingDocument => ({
    document,
    sourceId: sourceOf(document),
    stories: [],
    characters: 0,
    turns: 0,
    released: 0,
    identity: undefined,
    complete: true,
    elsewhere: false,
  });
  const commits: Committer = await committer(context, options, limits);
  const identify = identities((issue) => options.onIssue?.(issue));
  let current: PendingDocument | undefined;
  let waiting: PendingDocument[] = [];
  let waitingSince = 0;
  let characters = 0;
  let turns = 0;
  let rejected = 0;
  let elsewhere = 0;
  let bytes = 0;
  let interrupted = false;

  /** Whether a document is of this share. One that was rejected, or gave nothing, may have no identity to tell by. */
  const isOwn = (document: SourceDocument, found: PendingDocument | undefined): boolean => {
    if (options.share === undefined) return true;
    if (found?.identity !== undefined) return !found.elsewhere;
    const { index, count } = options.share;
    return rejectShareOf(sourceOf(document), document.ordinal, count) === index;
  };

  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    characters = 0;
    turns = 0;
    await commits.commit(batch);
  };

  try {
    for await (const event of events) {
      if (signal?.aborted === true) {
        interrupted = true;
        break;
      }
      switch (event.type) {
        case 'progress':
          bytes = event.bytes;
          commits.progress('read', bytes);
          break;
        case 'document':
          current = pending(event.document);
          break;
        case 'issue':
          if (event.issue.severity === 'error' && current !== undefined) current.complete = false;
          break;
        case 'storyline': {
          current ??= pending(event.document);
          identify.add(current, event.storyline, event.at);
          if (options.share !== undefined && current.identity !== undefined) {
            current.elsewhere =
              shareOf(current.sourceId, current.identity, options.share.count) !== options.share.index;
            if (current.elsewhere) release(current);
          }
          if (current.characters > limits.characters) {
            await flush();
            await commits.writeAhead(current.stories.slice(current.released));
            release(current);
          }
          break;
        }
        case 'end': {
          const document = current;
          current = undefined;
          const own = isOwn(event.document, event.accepted ? document : undefined);
          options.onSettled?.(event.document, own);
          if (!event.accepted) {
            if (own) rejected += 1;
            if (document !== undefined) identify.forget(document);
            break;
          }
          if (document === undefined) break;
          if (document.elsewhere) {
            elsewhere += document.stories.length;
            break;
          }
          identify.settle(document);
          if (waiting.length === 0) waitingSince = performance.now();
          waiting.push(document);
          characters += document.characters;
          turns += document.turns;
          if (
            waiting.length >= limits.documents ||
            characters >= limits.characters ||
            turns >= limits.rows ||
            performance.now() - waitingSince > limits.milliseconds
          ) {
            await flush();
          }
          break;
        }
      }
    }
  } catch (error) {
    // A driver that was given the same signal throws its reason; that is the interruption, not a failure.
    if (signal?.aborted !== true || error !== signal.reason) throw error;
    interrupted = true;
  } finally {
    // What was accepted before an interruption, or before the input failed, is complete: keep it.
    if (!commits.failed()) {
      await flush();
      await commits.settled();
    }
  }
  await commits.settled();
  const done = commits.summary();
  if (options.dryRun !== true && options.indexes !== false && done.rows.runs > 0) {
    await refreshIndexes(context).catch((cause: unknown) => {
      // Everything is committed; an index is only speed, and the next import tries again.
      options.onIssue?.({
        code: 'store/index-not-built',
        severity: 'warning',
        message: explainFailure(cause, 'build the indexes of the store', context.secrets).message,
        at: { pointer: '' },
      });
    });
  }
  return {
    documents: { ...done.documents, rejected, elsewhere },
    rows: done.rows,
    bytes,
    seconds: (performance.now() - started) / 1000,
    interrupted,
  };
}

/** What was written, or is not to be written, no longer counts as waiting. */
function release(document: PendingDocument): void {
  for (const story of document.stories.slice(document.released)) story.storyline = undefined;
  document.released = document.stories.length;
  document.characters = 0;
  document.turns = 0;
}
