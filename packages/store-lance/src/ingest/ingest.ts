import {
  documentIdOf,
  type ImportEvent,
  type Issue,
  type Place,
  type SourceDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import type { StoreContext } from '../context.ts';
import { documentKeyOf, shareOf } from '../identity.ts';
import { refreshIndexes } from '../indexes.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { uuid7 } from '../uuid.ts';
import { type Committer, committer } from './commit.ts';
import { measureStoryline } from './measure-storyline.ts';
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
          if (!event.accepted) {
            rejected += 1;
            if (document !== undefined) identify.forget(document);
            break;
          }
          if (document === undefined) break;
          identify.settle(document);
          if (document.elsewhere) {
            elsewhere += document.stories.length;
            break;
          }
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

interface Identities {
  /** Gives a Storyline its key and adds it to its document. */
  add(document: PendingDocument, storyline: Storyline, at: Place): void;
  /** Takes the ordinals of a rejected document back. */
  forget(document: PendingDocument): void;
  /** Reports the ids that an accepted document repeats. */
  settle(document: PendingDocument): void;
}

/** Counts ids over a whole source, each source for itself: the second document of an id gets a key of its own. */
function identities(report: (issue: Issue) => void): Identities {
  const documentIds = new Map<string, number>();
  const sourceDocuments = new Map<string, number>();
  const met = new Map<string, number>();
  const inSource = (sourceId: string, id: string): string => JSON.stringify([sourceId, id]);
  const next = (counts: Map<string, number>, id: string): number => {
    const ordinal = (counts.get(id) ?? 0) + 1;
    counts.set(id, ordinal);
    return ordinal;
  };
  return {
    add(pending, storyline, at) {
      const documentId = documentIdOf(storyline);
      const { sourceId } = pending;
      const ordinal = next(documentIds, inSource(sourceId, documentId));
      if (pending.identity === undefined) {
        const id = sourceDocumentId(pending.document, storyline, documentId);
        const count = next(sourceDocuments, inSource(sourceId, id));
        pending.identity = count === 1 ? id : `${id}\u001f${count}`;
      }
      const position = next(met, sourceId) - 1;
      const measured = measureStoryline(storyline);
      pending.characters += measured.characters;
      pending.turns += storyline.turns.length;
      pending.stories.push({
        key: documentKeyOf(sourceId, documentId, ordinal),
        sourceId,
        documentId,
        ordinal,
        ingestId: uuid7(),
        hash: measured.hash,
        position,
        at,
        storyline,
        outcome: undefined,
        runRow: undefined,
        steps: 0,
        calls: 0,
      });
    },
    forget(pending) {
      const takeBack = (counts: Map<string, number>, id: string): void => {
        const key = inSource(pending.sourceId, id);
        counts.set(key, (counts.get(key) ?? 1) - 1);
      };
      for (const story of pending.stories) takeBack(documentIds, story.documentId);
      if (pending.identity !== undefined)
        takeBack(sourceDocuments, pending.identity.split('\u001f', 1)[0] ?? '');
    },
    settle(pending) {
      for (const story of pending.stories) {
        if (story.ordinal === 1) continue;
        report({
          code: 'store/repeated-id',
          severity: 'warning',
          message: `"${story.documentId}" is the id of ${story.ordinal} Storylines of this source so far; this one is kept apart as number ${story.ordinal} (document key ${story.key})`,
          at: story.at,
        });
      }
    },
  };
}

/**
 * What stays the same of a source document when its Storylines change: the key the driver knows (a session of rows), the run of a document with
 * attempts (one ACTF task), else the document id.
 */
function sourceDocumentId(document: SourceDocument, storyline: Storyline, documentId: string): string {
  if (document.key !== undefined) return document.key;
  const attempts = document.format !== 'storyline' && storyline.attempt_id !== undefined;
  return attempts && storyline.run !== undefined ? storyline.run : documentId;
}
