import type { Turn } from '../storyline.ts';
import { type ChainState, chainStateOf, isCheckpoint } from './chain-state.ts';

/** One stored row, in the order of the turns. */
export interface ChainRow extends ChainState {
  /** Its first turn is a checkpoint. */
  readonly checkpoint: boolean;
}

/** The rows of a Storyline that follows the chain convention, in order; a row's state is that of its first turn. */
export function chainRows(turns: readonly Turn[]): ReadonlyMap<string, ChainRow> {
  const rows = new Map<string, ChainRow>();
  for (const turn of turns) {
    const state = chainStateOf(turn);
    if (state !== undefined && !rows.has(state.row))
      rows.set(state.row, { ...state, checkpoint: isCheckpoint(turn) });
  }
  return rows;
}

/** The leaves: complete rows that no complete row continues. The last one is the newest, rows being in (time, id) order. */
export function chainLeaves(rows: ReadonlyMap<string, ChainRow>): readonly string[] {
  const continued = new Set<string>();
  for (const row of rows.values()) {
    if (row.status === 'complete' && row.previous !== undefined) continued.add(row.previous);
  }
  return [...rows.values()]
    .filter((row) => row.status === 'complete' && !continued.has(row.row))
    .map(({ row }) => row);
}

/** What a walk found. */
export interface ChainWalk {
  /** Complete rows from the start (or the checkpoint) to the anchor. */
  readonly rows: readonly string[];
  readonly stoppedAtCheckpoint?: string;
  /** The row that points back into the walk; the walk ended there. */
  readonly cycle?: string;
  /** A row that is continued but is not there. */
  readonly missing?: string;
}

/** Walks from an anchor back over `previous`: rows that are not complete are passed over. Never more steps than there are rows. */
export function walkChain(
  rows: ReadonlyMap<string, ChainRow>,
  anchor: string,
  stopAtCheckpoint: boolean,
): ChainWalk {
  const found: string[] = [];
  const visited = new Set<string>();
  let at: string | undefined = anchor;
  while (at !== undefined) {
    if (visited.has(at)) return { rows: found.reverse(), cycle: at };
    visited.add(at);
    const row: ChainRow | undefined = rows.get(at);
    if (row === undefined) return { rows: found.reverse(), missing: at };
    if (row.status === 'complete') {
      found.push(at);
      if (row.checkpoint && stopAtCheckpoint) return { rows: found.reverse(), stoppedAtCheckpoint: at };
    }
    at = row.previous;
  }
  return { rows: found.reverse() };
}
