import {
  appendPointer,
  defined,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
} from '@pchronicle/storyline-core';
import { isEmptyForm, textOf } from '../values.ts';
import { argsOf, argumentsText, contentOf, decodeContent, hasValue } from './content.ts';

/** A structured tool call that counts: it has an id, a function and a name. */
export interface CallView {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
  /** The arguments as they are written. */
  readonly text: string;
}

/** A value beside what a Storyline holds of a message: pointer relative to the message, and value. */
export type Extra = readonly [pointer: string, value: Json];

/** What a message means: the parts that a Storyline holds, and the rest. */
export interface MessageView {
  readonly role: string;
  /** Decoded content; null when there is none. */
  readonly content: Json;
  /** Whether the message has no `content` key at all. */
  readonly withoutContent: boolean;
  /** `tool_call_id` of a result. */
  readonly callId?: string;
  readonly calls: readonly CallView[];
  /** Positions of `calls` in the source list, when other elements stand before or between them. */
  readonly positions?: readonly number[];
  /** A `reasoning_content` that is text. */
  readonly reason?: string;
  readonly extras: readonly Extra[];
}

/** Keys of a message that mean nothing when they hold null, `[]` or `{}` (RFC-0009, residuals). */
const OPTIONAL = new Set(['name', 'refusal', 'tool_call_id', 'tool_calls']);

const SPOKEN: ReadonlySet<Json> = new Set(['system', 'user', 'assistant']);

/** Whether a message is one whose role a Storyline knows: system, user, assistant, or a tool result with an id. */
export function isMapped(message: Json | undefined): message is JsonObject {
  return isSpoken(message) || isToolMessage(message);
}

/** Whether a message is of the system, a user or an assistant. */
export function isSpoken(message: Json | undefined): message is JsonObject {
  return SPOKEN.has(memberOf(message, 'role') ?? null);
}

/** Whether a message is a tool result: role tool and a non-empty `tool_call_id` (RFC-0009, turn construction). */
export function isToolMessage(message: Json | undefined): message is JsonObject {
  const id = memberOf(message, 'tool_call_id');
  return memberOf(message, 'role') === 'tool' && textOf(id) !== undefined;
}

/** Reads a message of a known role, or (`asResponse`) a response, whose role is assistant by its position. */
export function viewMessage(message: JsonObject, asResponse = false): MessageView {
  const source = memberOf(message, 'role');
  const role = asResponse ? 'assistant' : (source as string);
  const spoken = role === 'assistant';
  const extras: Extra[] = [];
  const given = contentOf(message);
  const refusal = memberOf(message, 'refusal');
  const refused = spoken && !hasValue(given) && hasValue(refusal);
  const calls: CallView[] = [];
  const positions: number[] = [];
  let callId: string | undefined;
  let reason: string | undefined;
  for (const key of Object.keys(message)) {
    const value = message[key] as Json;
    if (key === 'content' || (OPTIONAL.has(key) && isEmptyForm(value))) continue;
    if (key === 'role') {
      if (asResponse && value !== null && value !== 'assistant') extras.push(['/role', value]);
    } else if (key === 'refusal' && refused) {
      // A refusal without content is the message itself (RFC-0009, authoritative fields).
    } else if (key === 'tool_call_id' && role === 'tool') {
      callId = value as string;
    } else if (key === 'reasoning_content' && value === null) {
      // A known key that holds null is absent (decision O5).
    } else if (key === 'reasoning_content' && spoken && typeof value === 'string') {
      reason = value;
    } else if (key === 'tool_calls' && spoken && isJsonArray(value)) {
      value.forEach((element, index) => {
        const call = viewCall(element, `/tool_calls/${index}`, extras);
        if (call === undefined) return;
        calls.push(call);
        positions.push(index);
      });
    } else extras.push([appendPointer('', key), value]);
  }
  return defined<MessageView>({
    role,
    content: refused ? decodeContent(refusal ?? null) : given,
    withoutContent: !refused && !Object.hasOwn(message, 'content'),
    calls,
    extras,
    callId,
    reason,
    positions: positions.every((position, index) => position === index) ? undefined : positions,
  });
}

/** Reads one element of `tool_calls`; of one that is no call, every key is an extra. */
function viewCall(element: Json, pointer: string, extras: Extra[]): CallView | undefined {
  if (!isJsonObject(element) || isEmptyForm(element)) {
    extras.push([pointer, element]);
    return undefined;
  }
  const id = textOf(memberOf(element, 'id'));
  const inner = memberOf(element, 'function');
  const name = textOf(memberOf(inner, 'name'));
  const valid = id !== undefined && name !== undefined;
  for (const key of Object.keys(element)) {
    const value = element[key] as Json;
    if (key === 'function' && isJsonObject(value) && !isEmptyForm(value)) {
      for (const own of Object.keys(value)) {
        if (valid && (own === 'name' || own === 'arguments')) continue;
        extras.push([appendPointer(pointer, key, own), value[own] as Json]);
      }
    } else if (!valid || (key !== 'id' && !(key === 'type' && (value === 'function' || value === null)))) {
      extras.push([appendPointer(pointer, key), value]);
    }
  }
  if (!valid) return undefined;
  const args = argsOf(memberOf(inner as JsonObject, 'arguments'));
  return { id, name, args, text: argumentsText(args) };
}
