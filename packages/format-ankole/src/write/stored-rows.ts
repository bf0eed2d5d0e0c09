import { getOwn, type JsonObject, type Turn } from '@pchronicle/storyline-core';
import { objectOf } from '../members.ts';

/** Consecutive turns that came of one stored row. */
export interface StoredRow {
  readonly id: string;
  readonly turns: readonly Turn[];
}

/** The stored rows of a Storyline, in its order: turns that share `env.request_id` (decision K1). */
export function storedRows(turns: readonly Turn[]): readonly StoredRow[] {
  const rows: { id: string; turns: Turn[] }[] = [];
  for (const turn of turns) {
    const id = turn.env?.request_id ?? '';
    const last = rows.at(-1);
    if (last !== undefined && last.id === id) last.turns.push(turn);
    else rows.push({ id, turns: [turn] });
  }
  return rows;
}

/** What a row's first turn keeps of the row. */
export function rowMembers(turn: Turn): JsonObject {
  const extra = objectOf(turn.extra);
  const row = getOwn(extra, 'row');
  return objectOf(row);
}
