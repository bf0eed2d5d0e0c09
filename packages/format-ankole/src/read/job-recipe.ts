import { appendPointer, getOwn, type Json } from '@pchronicle/storyline-core';
import { objectIn } from '../members.ts';
import { type PageCursor, unitNamedBy } from './cursors.ts';
import type { JoinedPages, PieceRecipe } from './job-pages.ts';
import type { Part } from './parts.ts';

/** What the cursor of a page says of its place among the pages. */
export function jobCursor(part: Part, { oldest, recipes, turns }: JoinedPages): PageCursor {
  const job = objectIn(part.value, 'job');
  const cursor = getOwn(job, 'turns_next_cursor') ?? null;
  const named = unitNamedBy(cursor).turn;
  const held = recipes.get(part) ?? [];
  return {
    cursor,
    content: held.length === 0 ? '' : JSON.stringify(held),
    pointer: appendPointer(part.pointer, 'job', 'turns_next_cursor'),
    // Pages of before cursors were introduced have all turns.
    isEnd:
      part === oldest ||
      !Object.hasOwn(job, 'turns_next_cursor') ||
      isCopy(held, recipes.get(oldest ?? part)),
    isOwn: named === undefined ? undefined : held.some(([turn]) => turns[turn]?.id === named),
  };
}

/** Whether a page holds what another one does. */
function isCopy(left: PieceRecipe, right: PieceRecipe | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** How a page is made of the turns again. */
export function jobRecipe(part: Part, { turns, recipes }: JoinedPages, pages: number): Json {
  const cursor = getOwn(objectIn(part.value, 'job'), 'turns_next_cursor') ?? null;
  const recipe = recipes.get(part) ?? [];
  const isAll =
    pages === 1 && recipe.length === turns.length && recipe.every(([turn], index) => turn === index);
  if (isAll) return cursor === null ? 'job' : ['job', null, cursor];
  const pieces = recipe.map(([turn, from, count]) => {
    const whole = turns[turn]?.pieces.length === 1;
    return whole ? turn : [turn, from, count];
  });
  return ['job', pieces, ...(cursor === null ? [] : [cursor])];
}
