import { residuals, STORYLINE_VERSION, type Storyline } from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { packRanges } from '../layout/ranges.ts';
import { startTally } from '../tally.ts';
import { finishStoryline } from './finish.ts';
import { itemDrafts } from './item-drafts.ts';
import { checkItemRow, orderItems } from './order-items.ts';
import type { Group, GroupContext } from './parts.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of the rows of one job turn, in the order of their positions; `undefined` after an error. */
export function readItems(
  group: Group,
  { own, places, source, report }: GroupContext,
): Storyline | undefined {
  if (!group.parts.map((part) => checkItemRow(part, report)).every(Boolean)) return undefined;
  const found = startTally();
  const session = group.key.slice(2);
  const documentId = source === '' ? session : source;
  const residual = residuals(SOURCE, documentId);
  const { rows, positions } = orderItems(group.parts, found);
  const drafts = rows.flatMap((row) => itemDrafts(row, session, residual.add, found));
  const turns = finishTurns(drafts, residual, found);
  found.tell(report);
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    agent: { id: SOURCE },
    origin: { format: SOURCE, document_id: documentId },
    turns,
  };
  const isInOrder = positions.length === rows.length && positions.every((row, index) => row === index);
  const layout = {
    ...places,
    parts: [isInOrder ? 'items' : ['items', packRanges(positions)]],
  };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}
