import type { Prompt } from '@pchronicle/storyline-core';
import type { ActfStep } from './document.ts';

/** The prompts of a trajectory: the document's, and those of the turns that differ from it, by step index. */
export interface Prompts {
  readonly prompt?: Prompt;
  readonly turns: ReadonlyMap<number, Prompt>;
}

/**
 * Takes the prompt pairs of all steps apart (RFC-0004, prompts): the first pair with a side that is not empty is the document's;
 * a step with another pair has its own, as a whole; the empty pair is `{system: "", user: ""}`.
 */
export function readPrompts(steps: readonly ActfStep[]): Prompts {
  const first = steps.find((step) => step.system_prompt || step.user_content);
  const turns = new Map<number, Prompt>();
  if (first === undefined) return { turns };
  const system = first.system_prompt ?? '';
  const user = first.user_content ?? '';
  steps.forEach((step, index) => {
    const ownSystem = step.system_prompt ?? '';
    const ownUser = step.user_content ?? '';
    if (ownSystem === system && ownUser === user) return;
    const own = { system: ownSystem, user: ownUser };
    turns.set(index, ownSystem || ownUser ? sides(own) : own);
  });
  return { prompt: sides({ system, user }), turns };
}

function sides({ system, user }: { readonly system: string; readonly user: string }): Prompt {
  return { ...(system && { system }), ...(user && { user }) };
}
