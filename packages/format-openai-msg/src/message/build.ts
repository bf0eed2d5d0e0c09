import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { placeAt } from './place.ts';
import { isMapped, type MessageView, viewMessage } from './view.ts';

/** The message that a view describes, without its extras. `positions` makes room for list elements that are no calls. */
export function buildMessage(
  view: Pick<MessageView, 'role' | 'content' | 'withoutContent' | 'callId' | 'reason' | 'positions'> & {
    readonly calls: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  },
): MutableJsonObject {
  const message: MutableJsonObject = { role: view.role };
  if (view.callId !== undefined) message.tool_call_id = view.callId;
  if (!view.withoutContent) message.content = view.content;
  if (view.reason !== undefined) message.reasoning_content = view.reason;
  if (view.calls.length > 0) {
    const list: Json[] = [];
    view.calls.forEach((call, index) => {
      const position = view.positions?.[index] ?? index;
      while (list.length < position) list.push({});
      list.push({ id: call.id, type: 'function', function: { name: call.name, arguments: call.text } });
    });
    message.tool_calls = list;
  }
  return message;
}

/** The whole message of a view, extras included: the normal form of its source. */
export function buildWhole(view: MessageView): JsonObject {
  const message = buildMessage(view);
  const owned = new Set<Json>([message]);
  if (isJsonArray(message.tool_calls)) {
    owned.add(message.tool_calls);
    for (const call of message.tool_calls) {
      owned.add(call);
      if (isJsonObject(call)) owned.add(getOwn(call, 'function') ?? null);
    }
  }
  for (const [pointer, value] of view.extras) placeAt(message, pointer, value, owned);
  return message;
}

/** A message stripped of everything that a Storyline does not hold (unknown keys, strange calls, whose places stay) and of its reasoning. */
export function bareMessage(message: Json): Json {
  if (!isMapped(message)) return message;
  const { reason: _, ...view } = viewMessage(message);
  return buildMessage(view);
}
