import { isJsonArray, isJsonObject, type Json, type JsonObject, type Turn } from '@pchronicle/storyline-core';
import { EVENT_KEYS, type EventKey, isSynthesisedCallId, messageKeysOf } from './vocabulary.ts';

/** Payload keys of a tool call, as one event spells them; an absent one does not occur. */
export interface CallSpelling {
  readonly name: 'name' | 'tool_name';
  readonly args?: 'args' | 'request';
  readonly result?: 'result' | 'response';
  /** Whether the call has an `invocation_id`. */
  readonly id: boolean;
}

/** How an event spells what a turn means: all that the turn itself does not tell. */
export interface Spelling {
  /** Schema fields that the event lacks. */
  readonly lacks: readonly EventKey[];
  /** The payload key that holds the message, `""` where the payload is the message; absent without a message. */
  readonly message?: string;
  readonly call?: CallSpelling;
}

/** The text of a spelling in the layout, for example `-ts msg=result` or `call=tool_name,request,id`. */
export function spellingText(spelling: Spelling): string {
  const { lacks, message, call } = spelling;
  let text = lacks.length === 0 ? '' : lacks.map((key) => `-${key}`).join(' ');
  if (message !== undefined) text += text === '' ? `msg=${message}` : ` msg=${message}`;
  if (call !== undefined) {
    text += text === '' ? `call=${call.name}` : ` call=${call.name}`;
    if (call.args !== undefined) text += `,${call.args}`;
    if (call.result !== undefined) text += `,${call.result}`;
    if (call.id) text += ',id';
  }
  return text;
}

/** Reads what {@link spellingText} wrote; anything else gives `undefined`, for a layout may come from anywhere. */
export function readSpelling(text: string): Spelling | undefined {
  const lacks: EventKey[] = [];
  let message: string | undefined;
  let call: CallSpelling | undefined;
  for (const part of text === '' ? [] : text.split(' ')) {
    const key = EVENT_KEYS.find((one) => part === `-${one}`);
    if (key !== undefined) lacks.push(key);
    else if (part.startsWith('msg=')) message = part.slice(4);
    else if (part.startsWith('call=')) {
      const keys = new Set(part.slice(5).split(','));
      const args = keys.has('args') ? 'args' : keys.has('request') ? 'request' : undefined;
      const result = keys.has('result') ? 'result' : keys.has('response') ? 'response' : undefined;
      call = {
        name: keys.has('tool_name') ? 'tool_name' : 'name',
        ...(args === undefined ? {} : { args }),
        ...(result === undefined ? {} : { result }),
        id: keys.has('id'),
      };
    } else return undefined;
  }
  return { lacks, ...(message === undefined ? {} : { message }), ...(call === undefined ? {} : { call }) };
}

/** The result of a turn's call: the first element of its observation, where that is an object. */
export function firstResult(turn: Turn): JsonObject | undefined {
  const results = isJsonObject(turn.observation) ? turn.observation.results : undefined;
  const first = isJsonArray(results) ? results[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}

/** The spelling that an event has unless the layout says otherwise, judged by its turn. `messageKeys` are the document's own defaults. */
export function usualSpelling(turn: Turn, type: string, messageKeys: JsonObject): Spelling {
  const call = turn.tool_calls?.[0];
  if (call !== undefined) {
    const id = !isSynthesisedCallId(call.tcid, String(turn.id));
    const result = firstResult(turn);
    const answered = result !== undefined && Object.hasOwn(result, 'content');
    const keys: CallSpelling = id
      ? { name: 'tool_name', args: 'request', ...(answered ? { result: 'response' } : {}), id }
      : { name: 'name', args: 'args', ...(answered ? { result: 'result' } : {}), id };
    return { lacks: [], call: keys };
  }
  if (turn.msg === null) return { lacks: [] };
  const own: Json | undefined = Object.hasOwn(messageKeys, type) ? messageKeys[type] : undefined;
  return { lacks: [], message: typeof own === 'string' ? own : (messageKeysOf(type)[0] ?? 'message') };
}
