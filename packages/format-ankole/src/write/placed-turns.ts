import { compareNumbers, getOwn, isInteger, type Json, type Turn } from '@pchronicle/storyline-core';
import { listOf } from '../members.ts';

/** The kinds of steps in the recipe of a layout. */
function kindsIn(recipe: Json): ReadonlySet<Json | undefined> {
  return new Set(listOf(recipe).map((step) => listOf(step)[0] ?? step));
}

/**
 * The turns that the source's own shape has a place for; one that was added by hand names no row, or a row without what its reader asks
 * for, and there is nothing to make that of. The others are written as if it were not there.
 */
export function placedTurns(turns: readonly Turn[], recipe: Json): readonly Turn[] {
  const kinds = kindsIn(recipe);
  if (kinds.has('items')) return turns.filter(({ env }) => isPosition(getOwn(env?.state ?? {}, 'item')));
  const needsStatus = kinds.has('page') || kinds.has('rows');
  const needsSide = !needsStatus && kinds.has('response');
  if (!needsStatus && !needsSide && !kinds.has('job')) return turns;
  const rows = new Map<string, boolean>();
  return turns.filter(({ env }) => {
    const id = env?.request_id ?? '';
    if (needsSide && !SIDES.has(getOwn(env?.state ?? {}, 'side'))) return false;
    // The first turn of a row speaks for it.
    const known = rows.get(id);
    if (known !== undefined || id === '') return known === true;
    const isPlaced = !needsStatus || isRowState(env?.state ?? {});
    rows.set(id, isPlaced);
    return isPlaced;
  });
}

const SIDES: ReadonlySet<Json | undefined> = new Set(['input', 'output']);

function isPosition(value: Json | undefined): boolean {
  return isInteger(value) && compareNumbers(value, 0) >= 0;
}

function isRowState(state: { readonly [key: string]: Json }): boolean {
  const status = getOwn(state, 'status');
  const previous = getOwn(state, 'previous') ?? null;
  return typeof status === 'string' && status !== '' && (previous === null || typeof previous === 'string');
}
