import { effectiveKind, stringify, type Turn } from '@pchronicle/storyline-core';
import { readable } from '../show/text.ts';
import { clip, safeLine } from '../terminal/safe.ts';

const LONGEST = 400;

/** A turn in one safe line: who, what was called with what, what was said. */
export function turnLine(turn: Turn | undefined): string {
  if (turn === undefined) return '';
  const calls = (turn.tool_calls ?? []).map((call) => `→ ${call.fn}(${clip(stringify(call.args), LONGEST)})`);
  const said = turn.msg === null || turn.msg === '' ? '' : clip(readable(turn.msg), LONGEST);
  const kind = effectiveKind(turn);
  const who = kind === 'dialogue' || kind === 'autonomous' ? turn.src : `${turn.src}/${kind}`;
  return safeLine([who, said.replace(/\s+/g, ' ').trim(), ...calls].filter((part) => part !== '').join(' '));
}
