/** Fields of the artifact schema 1.0 at the root. */
export const ROOT_KEYS = [
  'schema_version',
  'run_id',
  'entrypoint',
  'started_at',
  'ended_at',
  'status',
  'forkline_version',
  'events',
  'metadata',
] as const;

/** Fields of an event. */
export const EVENT_KEYS = ['event_id', 'run_id', 'ts', 'type', 'payload'] as const;

/** A field of an event. */
export type EventKey = (typeof EVENT_KEYS)[number];

/** The residual source of this format, and the auxiliary one that holds what only the way back needs (decision G19). */
export const SOURCE = 'forkline';

/** See {@link SOURCE}. */
export const LAYOUT_SOURCE = 'forkline-layout';

/** The one field of the auxiliary source: it is about the document as a whole. */
export const LAYOUT_POINTER = '';

/** Session of a run that has no usable id: a Storyline needs one. */
export const UNNAMED_RUN = 'unnamed-run';

/** Payload keys that hold what was said, by event type and in the order in which they are tried (decision F2). */
const MESSAGE_KEYS: { readonly [type: string]: readonly string[] } = {
  input: ['prompt', 'text', 'message', 'content'],
  output: ['text', 'response', 'result', 'message', 'content'],
  llm_call: ['response', 'text', 'result', 'content'],
  error: ['message', 'error', 'text'],
};

const OTHER_MESSAGE_KEYS = ['message', 'text', 'msg', 'content', 'prompt', 'response', 'result'] as const;

/** The payload keys that may hold the message of an event of this type; the first is the one that needs no note in the layout. */
export function messageKeysOf(type: string): readonly string[] {
  return Object.hasOwn(MESSAGE_KEYS, type) ? (MESSAGE_KEYS[type] ?? OTHER_MESSAGE_KEYS) : OTHER_MESSAGE_KEYS;
}

/** Who acts in an event of this type (decision F2). */
export function sourceOf(type: string): 'user' | 'agent' | 'system' {
  if (type === 'input') return 'user';
  return type === 'output' || type === 'tool_call' || type === 'llm_call' ? 'agent' : 'system';
}

/** The event type of a turn that names none. */
export function typeOf(src: string, hasCalls: boolean): string {
  if (hasCalls) return 'tool_call';
  return src === 'user' ? 'input' : src === 'agent' ? 'output' : 'system';
}

/** Whether an event of this type may hold token counts in `usage`, which are the turn's metrics. */
export function hasUsage(type: string): boolean {
  return type === 'output' || type === 'llm_call';
}

/** The call id of an event whose tool call has none of its own, for a turn with this id. */
export function synthesisedCallId(turnId: string): string {
  return `event-${turnId}`;
}

/** Whether a call id is one that {@link synthesisedCallId} gave, with or without what made it unique. */
export function isSynthesisedCallId(callId: string, turnId: string): boolean {
  const base = synthesisedCallId(turnId);
  if (!callId.startsWith(base)) return false;
  const rest = callId.slice(base.length);
  return rest === '' || rest.replaceAll(`@${turnId}`, '') === '';
}
