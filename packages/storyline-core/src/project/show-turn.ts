import { getOwn, type JsonObject, type MutableJsonObject } from '../json/value.ts';
import type { Turn } from '../storyline.ts';
import { addMissing } from './add-missing.ts';
import { callOf } from './call-message.ts';
import { objectOf } from './chain-state.ts';
import type { Add } from './chatml-document.ts';
import { messageContent, messageText } from './message-text.ts';

/** Shows the message of a turn itself, with its calls. With `isExact` nothing is added to what the source has. */
export function showTurn(turn: Turn, add: Add, isExact: boolean): void {
  const calls = turn.tool_calls ?? [];
  const extra = objectOf(turn.extra) ?? {};
  const whole = isExact ? objectOf(getOwn(extra, 'message')) : undefined;
  if (whole !== undefined) add(whole);
  const isSaid = isExact && turn.src !== 'tool' && turn.kind !== 'internal';
  if (turn.msg === null && calls.length === 0 && turn.reason === undefined && !isSaid) return;
  const isAgent = turn.src === 'agent';
  const payload = objectOf(getOwn(extra, 'payload')) ?? {};
  const id = getOwn(payload, 'id');
  const given = getOwn(payload, 'metadata');
  const metadata = isExact ? given : messageMetadata(turn, objectOf(given));
  const message: MutableJsonObject = {};
  if (isExact && id !== undefined) message.id = id;
  if (!isExact) message.id = typeof id === 'string' ? id : String(turn.id);
  message.role = isAgent ? 'assistant' : turn.src;
  message.content = isExact ? turn.msg : isAgent ? messageText(turn.msg) : messageContent(turn.msg);
  if (turn.reason !== undefined && turn.reason !== '') message.reasoning_content = turn.reason;
  if (calls.length > 0 || (isExact && turn.tool_calls !== undefined))
    message.tool_calls = calls.map((call) => callOf(call, isExact));
  if (metadata !== undefined) message.metadata = metadata;
  add(addMissing(message, getOwn(extra, 'chatml')));
}

/** What the source said of the message, and that a question of it is still open (decision K4). */
function messageMetadata(turn: Turn, own: JsonObject | undefined): JsonObject | undefined {
  const isOpen = turn.tool_calls?.some(({ response }) => response?.status === PENDING) === true;
  return isOpen ? { ...own, status: PENDING } : own;
}

/** Status of a call that waits for a person. */
const PENDING = 'pending_user_input';
