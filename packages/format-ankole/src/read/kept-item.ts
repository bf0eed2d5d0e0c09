import type { Json } from '@pchronicle/storyline-core';
import { blankTurn, type Draft } from './parts.ts';

/** An item that projects to nothing: an internal turn that holds it (decision K4). */
export function kept(item: Json): Draft {
  const turn = blankTurn('system');
  turn.kind = 'internal';
  turn.extra = { item };
  return { turn, calls: [], results: [] };
}
