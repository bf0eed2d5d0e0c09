import { getOwn, isJsonObject, type Json } from '../json/value.ts';
import type { Turn } from '../storyline.ts';

/**
 * The chain convention (decision K1), for sources whose stored rows continue one another and may branch: every turn names its row in
 * `env.request_id`, and `env.state` holds what the views need. A turn without it stands in every view.
 */
export interface ChainState {
  /** The row this turn came from; its turns share it. */
  readonly row: string;
  /** The row it continues; `undefined` at a start. */
  readonly previous: string | undefined;
  /** Only `complete` rows are seen by a model. */
  readonly status: string;
  readonly side: 'input' | 'output';
}

/** `env.event_type` of a turn from which on the model's context starts anew (decision K2). */
export const CHECKPOINT = 'checkpoint';

/** The chain state of a turn, or `undefined` when it has none. */
export function chainStateOf(turn: Turn): ChainState | undefined {
  const { request_id: row, state } = turn.env ?? {};
  if (row === undefined || state === undefined) return undefined;
  const side = getOwn(state, 'side');
  const status = getOwn(state, 'status');
  if (
    (side !== 'input' && side !== 'output') ||
    typeof status !== 'string' ||
    !Object.hasOwn(state, 'previous')
  ) {
    return undefined;
  }
  const previous = getOwn(state, 'previous');
  return { row, previous: typeof previous === 'string' ? previous : undefined, status, side };
}

/** Whether the model's context starts anew at this turn. */
export function isCheckpoint(turn: Turn): boolean {
  return turn.env?.event_type === CHECKPOINT;
}

/**
 * `env.event_type` of a turn that a checkpoint keeps for the model's context. Such turns repeat what earlier ones say, so they are no turns of
 * the Storyline: they stand in `extra.kept` of the checkpoint, as `before` and `after` it.
 */
export const RETAINED = 'retained';

/** A JSON object, or `undefined`: for the loose `extra` slots. */
export function objectOf(value: Json | undefined): { readonly [key: string]: Json } | undefined {
  return isJsonObject(value) ? value : undefined;
}
