import type { Json, JsonObject } from '@pchronicle/storyline-core';

/** A complete row of `ai_gateway_messages` of the conversation `c1`, at eight o'clock where `more` says nothing else. */
export function messageRow(
  id: string,
  previous: string | null,
  content: readonly Json[],
  more: JsonObject = {},
): JsonObject {
  return {
    id,
    subject_uid: 'agent-1',
    conversation_id: 'c1',
    type: 'message',
    role: null,
    status: 'complete',
    previous_message_id: previous,
    content,
    metadata: {},
    inserted_at: '2026-08-20T08:00:00Z',
    updated_at: '2026-08-20T08:00:00Z',
    ...more,
  };
}
