import type { StorylineHead } from '@pchronicle/storyline-core';
import { isBlank } from './emptiness.ts';
import { ACTF } from './leftovers.ts';

/** The key of a Storyline's attempt; `1` for one without an attempt_id. */
export function attemptIdOf(head: StorylineHead): string {
  return isBlank(head.attempt_id) ? '1' : (head.attempt_id as string);
}

/** The task of a Storyline's document: its run, else its session. */
export function taskIdOf(head: StorylineHead): string {
  return isBlank(head.run) ? head.session : (head.run as string);
}

/** The document that the residuals of a Storyline came from. */
export function sourceIdOf(head: StorylineHead): string | undefined {
  return head.unknown_fields?.sources[ACTF]?.source_document_id;
}

/** Storylines with an attempt_id share a document by source document and run; each other one has a document of its own (decision A10). */
export function groupOf(head: StorylineHead, index: number, source = ''): string {
  if (isBlank(head.attempt_id)) return `${index}`;
  const task = taskIdOf(head);
  return JSON.stringify([source, sourceIdOf(head) ?? task, task]);
}
