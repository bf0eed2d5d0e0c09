import { effectivePrompt, type Json, type Storyline } from '@pchronicle/storyline-core';
import type { RowOutline } from './outline.ts';

/**
 * Writes prompts, which have no slot of their own, as system and user messages: the system one in front, the user one where it changes.
 * `add` adds a message to the session. The function gives the history of a row with its prompts.
 */
export function promptWriter(
  story: Storyline,
  add: (message: Json) => number,
): (history: readonly number[], row: RowOutline) => readonly number[] {
  let system = '';
  let systemRef = -1;
  let user = '';
  return (history, { request, response }) => {
    const prompt = effectivePrompt(story, response);
    let messages = history;
    if (prompt.system !== system) {
      system = prompt.system;
      const others = history.filter((ref) => ref !== systemRef);
      systemRef = system === '' ? -1 : add({ role: 'system', content: system });
      messages = system === '' ? others : [systemRef, ...others];
    }
    if (prompt.user === '' || prompt.user === user) return messages;
    user = prompt.user;
    return request?.msg === user ? messages : [...messages, add({ role: 'user', content: user })];
  };
}
