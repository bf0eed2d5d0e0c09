import type { Prompt, StorylineHead, Turn } from '../storyline.ts';

/**
 * The prompt that holds for a turn (storyline-v1 §5): the turn's own as a whole when it has one, else the document's;
 * a missing side is "". Nothing comes from the turn before, and sides are never mixed.
 */
export function effectivePrompt(
  head: Pick<StorylineHead, 'prompt'>,
  turn: Pick<Turn, 'prompt'>,
): { readonly system: string; readonly user: string } {
  const prompt: Prompt | undefined = turn.prompt ?? head.prompt;
  return { system: prompt?.system ?? '', user: prompt?.user ?? '' };
}
