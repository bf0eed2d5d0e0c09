import {
  documentIdOf,
  type Issue,
  type Place,
  type SourceDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import { documentKeyOf, sourceDocumentOf } from '../identity.ts';
import { uuid7 } from '../uuid.ts';
import { measureStoryline } from './measure-storyline.ts';
import type { PendingDocument } from './pending.ts';

/** Gives the Storylines of one source their keys. */
export interface Identities {
  /** Gives a Storyline its key and adds it to its document. */
  add(document: PendingDocument, storyline: Storyline, at: Place): void;
  /** Takes the ordinals of a rejected document back. */
  forget(document: PendingDocument): void;
  /** Reports the ids that an accepted document repeats. */
  settle(document: PendingDocument): void;
}

/** Counts ids over a whole source, each source for itself: the second document of an id gets a key of its own. */
export function identities(report: (issue: Issue) => void): Identities {
  const documentIds = new Map<string, number>();
  const sourceDocuments = new Map<string, number>();
  const met = new Map<string, number>();
  /** The id that a document's identity was made of. */
  const ids = new WeakMap<PendingDocument, string>();
  // Counted under the document key that the first of an id has, or would have: a text that is held in any case.
  const next = (counts: Map<string, number>, id: string): number => {
    const ordinal = (counts.get(id) ?? 0) + 1;
    counts.set(id, ordinal);
    return ordinal;
  };
  return {
    add(pending, storyline, at) {
      const documentId = documentIdOf(storyline);
      const { sourceId } = pending;
      const firstKey = documentKeyOf(sourceId, documentId);
      const ordinal = next(documentIds, firstKey);
      if (pending.identity === undefined) {
        const id = sourceDocumentId(pending.document, storyline, documentId);
        const count = next(sourceDocuments, id === documentId ? firstKey : documentKeyOf(sourceId, id));
        pending.identity = sourceDocumentOf(id, count);
        ids.set(pending, id);
      }
      const position = next(met, sourceId) - 1;
      const measured = measureStoryline(storyline);
      pending.characters += measured.characters;
      pending.turns += storyline.turns.length;
      pending.stories.push({
        key: ordinal === 1 ? firstKey : documentKeyOf(sourceId, documentId, ordinal),
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
        const key = documentKeyOf(pending.sourceId, id);
        counts.set(key, (counts.get(key) ?? 1) - 1);
      };
      for (const story of pending.stories) takeBack(documentIds, story.documentId);
      const id = ids.get(pending);
      if (id !== undefined) takeBack(sourceDocuments, id);
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
