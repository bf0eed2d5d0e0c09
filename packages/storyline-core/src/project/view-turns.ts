import type { Report } from '../issue.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { chainStateOf, isCheckpoint } from './chain-state.ts';
import { type ChainRow, chainLeaves, chainRows, walkChain } from './walk-chain.ts';

/**
 * The named views, each a step further: `audit` is every turn; `leaf` the chain to one leaf; `context` what of it the model's context
 * holds (from the last checkpoint on); `provider` the same with calls and results strictly paired; `model` with ids hidden.
 */
export type View = 'audit' | 'leaf' | 'context' | 'provider' | 'model';

/** All views by name, each a step further. */
export const VIEWS: readonly View[] = ['audit', 'leaf', 'context', 'provider', 'model'];

/** The turns of a view, in order. Other branches, cycles and missing rows are reported, never followed. */
export function viewTurns(storyline: Storyline, view: View, report: Report, leaf?: string): readonly Turn[] {
  const { turns } = storyline;
  if (view === 'audit') return turns;
  const inContext = view !== 'leaf';
  const rows = chainRows(turns);
  if (rows.size === 0) return inContext ? turns.slice(lastCheckpoint(turns)) : turns;
  const leaves = chainLeaves(rows);
  // Where complete rows all continue each other, none is a leaf: the newest stands for it, and the walk tells of the circle.
  const anchor = leaf ?? leaves.at(-1) ?? newestComplete(rows);
  if (anchor === undefined || rows.get(anchor)?.status !== 'complete') {
    const found =
      leaf === undefined
        ? 'no row is complete'
        : `the row ${JSON.stringify(leaf)} is not a complete row of this trajectory`;
    report('error', 'core/invalid-anchor', '/turns', `${found}; a view starts from a complete row`);
    return [];
  }
  for (const other of leaves) {
    if (other === anchor) continue;
    report(
      'info',
      'core/branch-left-out',
      '/turns',
      `the branch that ends at row ${JSON.stringify(other)} is not part of the view that ends at ${JSON.stringify(anchor)}`,
    );
  }
  const walk = walkChain(rows, anchor, inContext);
  if (walk.cycle !== undefined) {
    report(
      'warning',
      'core/chain-cycle',
      '/turns',
      `the rows continue each other in a circle at ${JSON.stringify(walk.cycle)}; the chain ends there`,
    );
  }
  if (walk.missing !== undefined) {
    report(
      'warning',
      'core/chain-broken',
      '/turns',
      `the chain continues row ${JSON.stringify(walk.missing)}, which is not here; it starts after it`,
    );
  }
  const chosen = new Set(walk.rows);
  const shown = turns.filter((turn) => {
    const state = chainStateOf(turn);
    return state === undefined || chosen.has(state.row);
  });
  return inContext ? shown.slice(lastCheckpoint(shown)) : shown;
}

function newestComplete(rows: ReadonlyMap<string, ChainRow>): string | undefined {
  let newest: string | undefined;
  for (const { row, status } of rows.values()) if (status === 'complete') newest = row;
  return newest;
}

function lastCheckpoint(turns: readonly Turn[]): number {
  for (let at = turns.length - 1; at > 0; at -= 1) if (isCheckpoint(turns[at] as Turn)) return at;
  return 0;
}
