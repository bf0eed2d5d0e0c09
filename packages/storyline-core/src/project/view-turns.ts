import type { Report } from '../issue.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { chainStateOf } from './chain-state.ts';
import { fromCheckpoint } from './from-checkpoint.ts';
import { type ChainRow, chainLeaves, chainRows, walkChain } from './walk-chain.ts';

/**
 * The named views, each a step further: `audit` is every turn; `leaf` the chain to one leaf; `context` what of it the model's context
 * holds (from the last checkpoint on); `provider` the same with calls and results strictly paired; `model` with ids hidden.
 */
export type View = 'audit' | 'leaf' | 'context' | 'provider' | 'model';

/** All views by name, each a step further. */
export const VIEWS: readonly View[] = ['audit', 'leaf', 'context', 'provider', 'model'];

/**
 * The turns of a view: rows in the order in which they continue each other, turns of no row behind the row that they stand behind.
 * Other branches, cycles, missing rows and what a checkpoint hides are reported, never followed.
 */
export function viewTurns(storyline: Storyline, view: View, report: Report, leaf?: string): readonly Turn[] {
  const inContext = view !== 'audit' && view !== 'leaf';
  const { turns } = storyline;
  if (view === 'audit') return turns;
  const rows = chainRows(turns);
  if (rows.size === 0) return inContext ? fromCheckpoint(storyline, turns, report) : turns;
  const leaves = chainLeaves(rows);
  // Where complete rows all continue each other, none is a leaf: the newest stands for it, and the walk tells of the circle.
  const anchor = leaf === undefined ? (leaves.at(-1) ?? newestComplete(rows)) : rowNamed(leaf, rows);
  if (anchor === undefined || rows.get(anchor)?.status !== 'complete') {
    const found =
      leaf === undefined
        ? 'no row is complete'
        : `the row ${JSON.stringify(leaf)} is not a complete row of this trajectory`;
    report('error', 'core/invalid-anchor', '/turns', `${found}; a view starts from a complete row`);
    return [];
  }
  const whole = walkChain(rows, anchor, false);
  const walk = inContext ? walkChain(rows, anchor, true) : whole;
  const parts = new Map(whole.rows.map((row) => [row, [] as Turn[]]));
  for (const other of leaves) {
    // Rows that are not complete may lie between: then a row of the chain counts as a leaf too.
    if (parts.has(other)) continue;
    report(
      'info',
      'core/branch-left-out',
      '/turns',
      `the branch that ends at row ${JSON.stringify(other)} is not part of the view that ends at ${JSON.stringify(anchor)}`,
    );
  }
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
  const lead: Turn[] = [];
  let last = lead;
  for (const turn of turns) {
    const state = chainStateOf(turn);
    const part = state === undefined ? last : parts.get(state.row);
    if (part === undefined) continue;
    part.push(turn);
    last = part;
  }
  const shown = [lead, ...parts.values()].flat();
  return inContext ? fromCheckpoint(storyline, shown, report) : shown;
}

/** A row by its name; the API of sources with chains puts `resp_` in front of it. */
function rowNamed(name: string, rows: ReadonlyMap<string, ChainRow>): string {
  return rows.has(name) ? name : name.replace(/^resp_(?=.)/, '');
}

function newestComplete(rows: ReadonlyMap<string, ChainRow>): string | undefined {
  let newest: string | undefined;
  for (const { row, status } of rows.values()) if (status === 'complete') newest = row;
  return newest;
}
