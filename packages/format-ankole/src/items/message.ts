import { type Json, type JsonObject, type MutableJsonObject, setOwn } from '@pchronicle/storyline-core';

/** A message with an optional id in front. */
export function messageOf(id: string | undefined, members: JsonObject): JsonObject {
  return { ...(id === undefined ? {} : { id }), ...members };
}

/** What a tool item becomes. */
export interface ToolItem {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** JSON text. */
  readonly arguments: string;
  /** Text of the result; `undefined` while there is none (an open question). */
  readonly result: string | undefined;
  readonly metadata: { readonly [key: string]: Json };
}

/** The call and the result of a tool item (notes §2.3): ids `X:call` and `X:result`, both pointing at X. */
export function toolMessages(id: Json, tool: ToolItem): readonly JsonObject[] {
  const text = typeof id === 'string' ? id : '';
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  const call: MutableJsonObject = {
    id: `${text}:call`,
    role: 'assistant',
    content: '',
    tool_calls: [
      { id, type: 'function', function: { name: tool.name, arguments: tool.arguments, ...namespace } },
    ],
  };
  if (tool.result === undefined) {
    setOwn(call, 'metadata', tool.metadata);
    return [call];
  }
  const result = {
    id: `${text}:result`,
    role: 'tool',
    tool_call_id: id,
    name: tool.name,
    content: tool.result,
    ...namespace,
    metadata: tool.metadata,
  };
  return [call, result];
}
