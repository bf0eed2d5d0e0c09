import { getOwn, isJsonArray, type Json, type JsonObject, type MutableJsonObject } from '../json/value.ts';
import type { ToolCall } from '../storyline.ts';
import { addMissing } from './add-missing.ts';
import { objectOf } from './chain-state.ts';
import { messageText } from './message-text.ts';
import { sourceIdOf } from './source-call-id.ts';

const METADATA = ['status', 'exit_code', 'duration_ms', 'success'] as const;

/** The message of a result; with `isExact` with its other members. */
export function resultOf(
  reference: string | undefined,
  call: ToolCall | undefined,
  result: Json,
  content: Json | undefined,
  isExact: boolean,
): JsonObject {
  const own = objectOf(result) ?? {};
  const extra = objectOf(call?.extra) ?? {};
  const id = getOwn(own, 'id');
  const ownName = getOwn(own, 'name');
  const name = typeof ownName === 'string' ? ownName : call?.fn;
  const message: MutableJsonObject = {
    ...(typeof id === 'string' ? { id } : {}),
    role: 'tool',
    ...(reference === undefined ? {} : { tool_call_id: call === undefined ? reference : sourceIdOf(call) }),
    name: typeof name === 'string' ? name : 'unknown',
    content: isExact ? (content ?? null) : resultText(content),
  };
  if (isExact) {
    addMissing(message, own);
    delete message.source_call_id;
    return message;
  }
  const ownNamespace = getOwn(own, 'namespace');
  const namespace = typeof ownNamespace === 'string' ? ownNamespace : getOwn(extra, 'namespace');
  if (typeof namespace === 'string') message.namespace = namespace;
  const given = objectOf(getOwn(own, 'metadata'));
  const metadata: MutableJsonObject = { ...given };
  for (const key of given === undefined ? METADATA : []) {
    const value =
      getOwn(own, key) ??
      getOwn((call?.response ?? {}) as JsonObject, key) ??
      (key === 'duration_ms' ? call?.duration_ms : undefined);
    if (value !== undefined) metadata[key] = value;
  }
  const mechanism = getOwn(extra, 'execution_mechanism');
  if (mechanism !== undefined && given === undefined) metadata.execution_mechanism = mechanism;
  if (given !== undefined || Object.keys(metadata).length > 0) message.metadata = metadata;
  return message;
}

/** The text of a result: an empty list is what a tool gave, where it would be no text of a message. */
function resultText(content: Json | undefined): string {
  return isJsonArray(content) && content.length === 0 ? '[]' : messageText(content);
}
