import {
  appendPointer,
  CHECKPOINT,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@pchronicle/storyline-core';
import { objectIn, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { summaryIn } from './artifacts.ts';
import { readKept } from './kept-turns.ts';
import type { DraftRow } from './pair-results.ts';
import { blankTurn, type Draft, type Part } from './parts.ts';
import { readResponsesItem } from './responses-item.ts';
import { previousOf, type Round } from './round.ts';
import { addRow } from './row-members.ts';
import { sidesOf } from './sides.ts';
import { noteSourceLosses } from './source-losses.ts';

/** What a round is to its Storyline: a turn for each of its items. */
export function readRound(
  round: Round,
  first: Round | undefined,
  keep: (pointer: string, value: Json) => void,
  found: Tally,
  artifacts: ReadonlyMap<string, Part>,
): DraftRow {
  const { value, pointer, shape } = round;
  const isRow = shape === 'row';
  const status = isRow ? (textOf(value, 'status') ?? '') : statusOfResponse(textOf(value, 'status'));
  const previous = previousOf(round);
  const items = isRow ? rowItems(value, pointer, status) : responseItems(value, pointer);
  const isCheckpoint = isRow && textOf(value, 'type') === 'checkpoint';
  const drafts = items.map(({ item, side, at }, index): Draft => {
    const draft = readResponsesItem(item, at, found);
    draft.turn.env = {
      ...(isCheckpoint ? { event_type: CHECKPOINT } : {}),
      request_id: round.id,
      state: { previous, status, side, item: index },
    };
    if (isCheckpoint) draft.turn.kind = 'internal';
    noteSourceLosses(item, at, found);
    // The input of a Response may be a text, which its writer must know.
    if (!isRow && side === 'input' && typeof getOwn(value, side) === 'string')
      draft.turn.extra = { input_form: 'text' };
    return draft;
  });
  if (drafts.length === 0) drafts.push(emptyRound(round.id, previous, status, isCheckpoint));
  const artifact = isCheckpoint ? artifacts.get(round.id) : undefined;
  if (isCheckpoint) addSummary(round, drafts, artifact, found);
  if (artifact !== undefined)
    addKept(drafts, readKept(artifact, { previous, status, side: 'input' }, round.id));
  addRow(
    round,
    first,
    drafts.map(({ turn }) => turn),
    keep,
    found,
  );
  return { id: round.id, previous, isComplete: status === 'complete', drafts };
}

/** A row without items is a turn that says nothing. */
function emptyRound(id: string, previous: string | null, status: string, isCheckpoint: boolean): Draft {
  const turn = blankTurn('system');
  turn.kind = 'internal';
  turn.env = {
    ...(isCheckpoint ? { event_type: CHECKPOINT } : {}),
    request_id: id,
    state: { previous, status, side: 'input', item: null },
  };
  return { turn, calls: [], results: [] };
}

interface PlacedItem {
  readonly item: Json;
  readonly side: 'input' | 'output';
  readonly at: string;
}

function rowItems(row: JsonObject, pointer: string, status: string): readonly PlacedItem[] {
  const content = getOwn(row, 'content');
  const items = isJsonArray(content) ? content : [];
  const sides = sidesOf(items, getOwn(objectIn(row, 'metadata'), 'request_item_count'), status);
  return items.map((item, index) => ({
    item,
    side: sides[index] ?? 'output',
    at: appendPointer(pointer, 'content', index),
  }));
}

function responseItems(value: JsonObject, pointer: string): readonly PlacedItem[] {
  return (['input', 'output'] as const).flatMap((side) => {
    const items = getOwn(value, side);
    if (side === 'input' && typeof items === 'string')
      return [{ item: { role: 'user', content: items }, side, at: appendPointer(pointer, side) }];
    return (isJsonArray(items) ? items : []).map((item, index) => ({
      item,
      side,
      at: appendPointer(pointer, side, index),
    }));
  });
}

/** A row's status for that of a Response (notes §1.5). */
function statusOfResponse(status: string | undefined): string {
  if (status === 'completed' || status === 'incomplete' || status === undefined) return 'complete';
  return status === 'in_progress' || status === 'queued' ? 'generating' : 'error';
}

/** What stands for everything before a checkpoint: the model sees it as a message of the user (notes §1.6). */
function addSummary(
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
function addKept([first]: readonly Draft[], kept: JsonObject | undefined): void {
  if (first === undefined || kept === undefined) return;
  const extra = isJsonObject(first.turn.extra) ? first.turn.extra : {};
  first.turn.extra = { ...extra, kept };
}
