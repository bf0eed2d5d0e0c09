import type { Report } from '../issue.ts';
import type { Turn } from '../storyline.ts';
import { isCheckpoint } from './chain-state.ts';

/** The turns from the last checkpoint on, all of its own turns included. */
export function fromCheckpoint(turns: readonly Turn[], report: Report): readonly Turn[] {
  let at = turns.findLastIndex(isCheckpoint);
  if (at <= 0) return turns;
  const row = turns[at]?.env?.request_id;
  const isOwn = (turn: Turn | undefined) => turn?.env?.request_id === row;
  if (row !== undefined) while (isOwn(turns[at - 1])) at -= 1;
  const covered = new Set(turns.slice(0, at).map((turn) => turn.env?.request_id ?? turn));
  const isSummed = turns.slice(at).some((turn) => isOwn(turn) && isCheckpoint(turn) && turn.msg !== null);
  report(
    isSummed ? 'info' : 'warning',
    'core/context-replaced',
    '/turns',
    `context replaced here, ${covered.size} ${covered.size === 1 ? 'row' : 'rows'} covered${isSummed ? '' : ', by a summary that is not here'}`,
  );
  return turns.slice(at);
}
