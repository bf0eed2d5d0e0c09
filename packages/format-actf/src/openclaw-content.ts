import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@pchronicle/storyline-core';
import { isFilled } from './emptiness.ts';

/** Takes what has no slot, at its pointer. */
export type Keep = (pointer: string, value: Json) => void;

/** A tool call among the parts of an assistant's content. */
export interface CallPart {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
  readonly at: string;
}

/** What the content of a message says; absent where it has no such part. */
export interface Content {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls: readonly CallPart[];
}

/** Keeps all keys of an object but those that were used. */
export function keepRest(object: JsonObject, used: readonly string[], pointer: string, keep: Keep): void {
  for (const key of Object.keys(object)) {
    if (!used.includes(key)) keep(appendPointer(pointer, key), object[key] ?? null);
  }
}

/**
 * Reads the content of a message: a text, or parts. Texts are joined by line feeds, and so is thinking; calls and thinking count
 * in assistant messages only. Parts without a slot are kept, and so are the second and further parts of a joined text, and calls that
 * repeat an id of their message (decision A12).
 */
export function readContent(
  content: Json | undefined,
  pointer: string,
  assistant: boolean,
  keep: Keep,
): Content {
  if (typeof content === 'string') return { text: content, calls: [] };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: CallPart[] = [];
  const ids = new Set<string>();
  const take = (list: string[], part: JsonObject, key: string, at: string): void => {
    list.push(part[key] as string);
    if (list.length > 1) keep(at, part);
    else keepRest(part, ['type', key], at, keep);
  };
  if (!isJsonArray(content)) {
    if (content !== undefined) keep(pointer, content);
    return { calls };
  }
  for (const [index, part] of content.entries()) {
    const at = `${pointer}/${index}`;
    const type = isJsonObject(part) ? getOwn(part, 'type') : undefined;
    if (!isJsonObject(part) || typeof type !== 'string') {
      keep(at, part);
      continue;
    }
    const spoken = type === 'thinking' && typeof getOwn(part, 'thinking') === 'string' ? 'thinking' : 'text';
    const text = getOwn(part, spoken);
    const call = assistant ? callOf(part, at) : undefined;
    if (type === 'text' && typeof text === 'string') take(texts, part, spoken, at);
    else if (type === 'thinking' && assistant && isFilled(text)) take(thoughts, part, spoken, at);
    else if (call === undefined || ids.has(call.id)) keep(at, part);
    else {
      ids.add(call.id);
      calls.push(call);
      keepRest(part, ['type', 'id', 'name', ...(part.arguments === null ? [] : ['arguments'])], at, keep);
    }
  }
  return {
    ...(texts.length > 0 ? { text: texts.join('\n') } : {}),
    ...(thoughts.length > 0 ? { thinking: thoughts.join('\n') } : {}),
    calls,
  };
}

/** The calls among the parts of an assistant's content. */
function callOf(part: JsonObject, at: string): CallPart | undefined {
  const { type, id, name } = part;
  if (type !== 'toolCall' || typeof id !== 'string' || typeof name !== 'string' || !id || !name)
    return undefined;
  return { id, name, args: part.arguments ?? {}, at };
}
