import { effectivePrompt } from '../storyline/effective-prompt.ts';
import type { Storyline, Turn } from '../storyline.ts';
import type { Add } from './chatml-document.ts';

/** Prompts are messages where they differ from the last ones shown; context that was copied in had its own. */
export function showPrompts(
  storyline: Storyline,
  turn: Turn,
  shown: { system: string; user: string },
  add: Add,
): void {
  if (turn.copied === true) return;
  const prompt = effectivePrompt(storyline, turn);
  for (const [side, role] of [
    ['system', 'system'],
    ['user', 'user'],
  ] as const) {
    if (prompt[side] !== '' && prompt[side] !== shown[side]) add({ role, content: prompt[side] });
    if (prompt[side] !== '') shown[side] = prompt[side];
  }
}
