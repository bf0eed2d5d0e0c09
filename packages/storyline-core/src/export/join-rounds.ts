import { isJsonArray, type Json } from '../json/value.ts';
import { chainStateOf } from '../project/chain-state.ts';
import type { Storyline, Turn } from '../storyline.ts';

/** A round of a chain as one turn, and the turns that it was. */
export interface Round {
  readonly turn: Turn;
  readonly turns: readonly Turn[];
}

/**
 * What the model put out in one go, turn by turn: the turns of one row of a chain that follow each other as its output, up to one that holds
 * results, since what comes behind was said in their knowledge. A turn that projects to nothing stays behind the round that it interrupts.
 */
export function roundsOf({ turns }: Storyline): readonly Round[] {
  const rounds: Turn[][] = [];
  let open: { readonly row: string; readonly turns: Turn[] } | undefined;
  for (const turn of turns) {
    const state = chainStateOf(turn);
    const row = state?.side === 'output' ? state.row : undefined;
    if (row !== open?.row) open = undefined;
    if (turn.kind === 'internal') rounds.push([turn]);
    else if (row === undefined || turn.src !== 'agent' || turn.copied === true) {
      open = undefined;
      rounds.push([turn]);
    } else {
      if (open === undefined) {
        open = { row, turns: [] };
        rounds.push(open.turns);
      }
      open.turns.push(turn);
      if (turn.observation !== undefined) open = undefined;
    }
  }
  return rounds.map((round) => ({ turn: joined(round), turns: round }));
}

/** One turn: the texts as parts where there are several, all calls, and else what the first turn that has it says. */
function joined(turns: readonly Turn[]): Turn {
  const [first, second] = turns as [Turn, Turn?];
  if (second === undefined) return first;
  const said = turns.map(({ msg }) => msg).filter((msg) => msg !== null && msg !== '');
  const reason = turns.flatMap(({ reason: text }) => text || []).join('\n\n');
  const calls = turns.flatMap(({ tool_calls }) => tool_calls ?? []);
  return {
    ...(Object.assign({}, ...[...turns].reverse()) as Turn),
    msg: said.length > 1 ? said.flatMap(partsOf) : (said[0] ?? first.msg),
    ...(reason === '' ? {} : { reason }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function partsOf(msg: Json): readonly Json[] {
  if (typeof msg === 'string') return [{ type: 'text', text: msg }];
  return isJsonArray(msg) ? msg : [msg];
}
