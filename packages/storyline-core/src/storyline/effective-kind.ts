import type { Turn } from '../storyline.ts';

/**
 * The kind of a turn (storyline-v1 §7): its own, else `dialogue` for users, `internal` for the system,
 * `autonomous` for an agent that calls tools, `dialogue` for all others.
 */
export function effectiveKind(turn: Turn): string {
  if (turn.kind !== undefined) return turn.kind;
  if (turn.src === 'system') return 'internal';
  return turn.src === 'agent' && turn.tool_calls !== undefined && turn.tool_calls.length > 0
    ? 'autonomous'
    : 'dialogue';
}
