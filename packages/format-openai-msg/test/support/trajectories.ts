import { getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';

/** An agent's messages as rows: one for each assistant message, with everything before it as history. */
export function rowsOfTrajectory(session: string, messages: readonly JsonObject[]): readonly Json[] {
  return messages.flatMap((message, index) => {
    if (getOwn(message, 'role') !== 'assistant') return [];
    const step = messages.slice(0, index + 1).filter((one) => getOwn(one, 'role') === 'assistant').length;
    return [{ session_id: session, step_id: step, messages: messages.slice(0, index), response: message }];
  });
}
