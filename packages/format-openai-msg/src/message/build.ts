import {
  type Json,
  type JsonObject,
  type MutableJsonObject,
  restoreResiduals,
} from '@pchronicle/storyline-core';
import { type CallView, type Extra, isMapped, type MessageView, viewMessage } from './view.ts';

/** What a message is built of. `positions` makes room for list elements that are no calls. */
export interface MessageParts extends Pick<MessageView, 'role' | 'content' | 'withoutContent'> {
  readonly callId?: string | undefined;
  readonly reason?: string | undefined;
  readonly positions?: readonly number[] | undefined;
  readonly calls: readonly Omit<CallView, 'args'>[];
}

/** The message that a view describes, without its extras. */
export function buildMessage(view: MessageParts): MutableJsonObject {
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
  restore(message, view.extras);
  return message;
}

/** A message stripped of everything that a Storyline does not hold (unknown keys, strange calls, whose places stay) and of its reasoning. */
export function bareMessage(message: Json): Json {
  if (!isMapped(message)) return message;
  const { reason: _, ...view } = viewMessage(message);
  return buildMessage(view);
}

/** Lists that residuals may build: elements of `tool_calls` that are no calls. */
const LISTS: ReadonlySet<string> = new Set(['tool_calls']);

/**
 * Puts residuals into an object under construction, in place of what may be there (decision G12); `fault` is told the pointers that
 * have no place. Containers inside are copied before they are changed.
 */
export function restore(
  root: MutableJsonObject,
  residuals: readonly Extra[],
  fault: (pointer: string) => void = () => undefined,
): void {
  const fields: { readonly [pointer: string]: Json } = Object.fromEntries(residuals);
  const options = { lists: LISTS, mayReplace: () => true };
  restoreResiduals(root, fields, options, (_severity, _code, pointer) => fault(pointer));
}
