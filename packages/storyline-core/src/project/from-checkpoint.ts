import { collectIssues, type Report } from '../issue.ts';
import { getOwn, isJsonArray, type Json } from '../json/value.ts';
import { readStoryline } from '../storyline/read.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { isCheckpoint, objectOf } from './chain-state.ts';

/** The turns from the last checkpoint on, all of its own turns and what it keeps included. */
export function fromCheckpoint(
  storyline: Storyline,
  turns: readonly Turn[],
  report: Report,
): readonly Turn[] {
  let at = turns.findLastIndex(isCheckpoint);
  if (at === -1) return turns;
  const row = turns[at]?.env?.request_id;
  const isOwn = (turn: Turn | undefined) => turn?.env?.request_id === row;
  if (row !== undefined) while (isOwn(turns[at - 1])) at -= 1;
  const covered = new Set(turns.slice(0, at).map((turn) => turn.env?.request_id ?? turn));
  const shown = turns.slice(at);
  const isSummed = shown.some((turn) => isOwn(turn) && isCheckpoint(turn) && turn.msg !== null);
  if (at > 0)
    report(
      isSummed ? 'info' : 'warning',
      'core/context-replaced',
      '/turns',
      `context replaced here, ${covered.size} ${covered.size === 1 ? 'row' : 'rows'} covered${isSummed ? '' : ', by a summary that is not here'}`,
    );
  return shown.flatMap((turn) =>
    isOwn(turn) && isCheckpoint(turn)
      ? [...keptBy(storyline, turn, 'before'), turn, ...keptBy(storyline, turn, 'after')]
      : [turn],
  );
}

/** Turns that a checkpoint keeps, where they are well-formed; each has the number of the checkpoint's turn. */
function keptBy(storyline: Storyline, { id, extra }: Turn, side: string): readonly Turn[] {
  const kept = getOwn(objectOf(getOwn(objectOf(extra) ?? {}, 'kept')) ?? {}, side);
  if (!isJsonArray(kept)) return [];
  const turns = kept.map((turn, at): Json => ({ ...objectOf(turn), id: at + 1 }));
  const { schema_version, session, agent } = storyline;
  const read = readStoryline(
    { schema_version, session, agent: { id: agent.id }, turns },
    collectIssues().report,
  );
  return read?.turns.map((turn) => ({ ...turn, id })) ?? [];
}
