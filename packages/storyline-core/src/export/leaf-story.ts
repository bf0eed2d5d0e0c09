import { collectIssues, type Report } from '../issue.ts';
import { chainStateOf } from '../project/chain-state.ts';
import { viewTurns } from '../project/view-turns.ts';
import type { Storyline } from '../storyline.ts';

/**
 * A Storyline as a format without branches can hold it (decision K5): the chain to the newest leaf. Each other branch is a loss, and so
 * are rows that were never completed. One whose chain has no complete row, or that has no chain, stays as it is.
 */
export function leafStory(storyline: Storyline, report: Report): Storyline {
  const { report: note, issues, failed } = collectIssues();
  const turns = viewTurns(storyline, 'leaf', note);
  if (failed() || turns === storyline.turns) return storyline;
  for (const { code, message } of issues)
    if (code === 'core/branch-left-out') report('loss', 'core/branch-left-out', '/turns', message);
  const shown = new Set(turns);
  const incomplete = new Set<string>();
  for (const turn of storyline.turns) {
    const state = chainStateOf(turn);
    if (state !== undefined && state.status !== 'complete' && !shown.has(turn)) incomplete.add(state.row);
  }
  if (incomplete.size > 0) {
    const message = `${incomplete.size === 1 ? 'one row that was' : `${incomplete.size} rows that were`} never completed (${[...incomplete].slice(0, 3).join(', ')}) ${incomplete.size === 1 ? 'is' : 'are'} not part of the branch that is written`;
    report('loss', 'core/incomplete-left-out', '/turns', message);
  }
  return { ...storyline, turns };
}
