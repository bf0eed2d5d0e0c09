import { CHECKPOINT, getOwn, type Json } from '@pchronicle/storyline-core';
import { textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { addKept, addSummary } from './checkpoint-turn.ts';
import { readKept } from './kept-turns.ts';
import type { DraftRow } from './pair-results.ts';
import { blankTurn, type Draft, type Part } from './parts.ts';
import { readResponsesItem } from './responses-item.ts';
import { previousOf, type Round } from './round.ts';
import { responseItems, rowItems } from './round-items.ts';
import { addRow } from './row-members.ts';
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

/** A row's status for that of a Response (notes §1.5). */
function statusOfResponse(status: string | undefined): string {
  if (status === 'completed' || status === 'incomplete' || status === undefined) return 'complete';
  return status === 'in_progress' || status === 'queued' ? 'generating' : 'error';
}
