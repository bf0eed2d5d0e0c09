import { appendPointer, getOwn, type JsonObject } from '@pchronicle/storyline-core';
import { objectIn, objectOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { summaryIn } from './artifacts.ts';
import type { Draft, Part } from './parts.ts';
import type { Round } from './round.ts';

/** What stands for everything before a checkpoint: the model sees it as a message of the user (notes §1.6). */
export function addSummary(
  { value, pointer }: Round,
  drafts: readonly Draft[],
  artifact: Part | undefined,
  found: Tally,
): void {
  const turn = drafts[0]?.turn;
  const summary = summaryIn(artifact);
  if (summary === undefined || turn === undefined || turn.msg !== null)
    noteCheckpoint(value, pointer, artifact !== undefined, found);
  else {
    turn.src = 'user';
    turn.msg = summary;
  }
}

function noteCheckpoint(row: JsonObject, pointer: string, hasArtifact: boolean, found: Tally): void {
  const covered = getOwn(objectIn(row, 'metadata'), 'covered_message_count');
  const rows = typeof covered === 'number' ? ` of ${covered} ${covered === 1 ? 'row' : 'rows'}` : '';
  const where = hasArtifact
    ? 'that its artifact does not spell out (the provider compacted itself); the artifact is kept whole'
    : 'that this document does not hold';
  found.add(
    'warning',
    'ankole/checkpoint-without-summary',
    appendPointer(pointer, 'content'),
    `the model's context starts anew here, with a summary${rows} ${where}`,
  );
}

/** Puts what a compaction keeps beside its summary on the turn of the checkpoint. */
export function addKept([first]: readonly Draft[], kept: JsonObject | undefined): void {
  if (first === undefined || kept === undefined) return;
  const extra = objectOf(first.turn.extra);
  first.turn.extra = { ...extra, kept };
}
