import {
  callsInText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonInteger,
  memberOf,
  parseText,
  stringify,
  type ToolCall,
} from '@pchronicle/storyline-core';
import { isEmptyForm } from '../values.ts';

/** The `type`s by which a content part is known (decision O3). */
const PART_KINDS: ReadonlySet<Json> = new Set<Json>([
  'text',
  'input_text',
  'output_text',
  'image',
  'image_url',
  'input_image',
  'input_audio',
  'audio',
  'file',
  'input_file',
  'refusal',
  'thinking',
  'reasoning',
  'tool_use',
  'tool_result',
]);

/** How the ids of calls begin that a text spells. */
export const MADE_ID = 'embedded-';

/**
 * Content as a structured value: a text that spells a non-empty array of known content parts, or one such part, is that value;
 * everything else stays as it is (RFC-0009, accepted shapes; decision O3).
 */
export function decodeContent(content: Json): Json {
  if (typeof content !== 'string' || !/^[ \t\n\r]*[[{]/.test(content)) return content;
  if (!/"type"|\\u/.test(content)) return content;
  const value = parseText(content);
  if (isPart(value)) return value as Json;
  return isJsonArray(value) && value.length > 0 && value.every(isPart) ? value : content;
}

/** The decoded content of a message or a result; null when it has none. */
export function contentOf(message: Json | undefined): Json {
  return decodeContent(memberOf(message, 'content') ?? null);
}

function isPart(value: Json | undefined): boolean {
  return PART_KINDS.has(memberOf(value, 'type') ?? null);
}

/**
 * Whether a content or refusal says anything: null and "" do not; an array does when an element does; an object does when its
 * `text` does, or, without a `text`, when it has any key; numbers and booleans do (RFC-0009, output selection).
 */
export function hasValue(content: Json | undefined): boolean {
  const pending: (Json | undefined)[] = [content];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isJsonArray(value)) for (const element of value) pending.push(element);
    else if (isJsonObject(value) && Object.hasOwn(value, 'text')) pending.push(memberOf(value, 'text'));
    else if (value !== '' && !isEmptyForm(value)) return true;
  }
  return false;
}

/** `args` of a call: the value that an arguments text spells, else the arguments as they are; missing ones are null (RFC-0009, authoritative fields). */
export function argsOf(source: Json | undefined): Json {
  if (typeof source !== 'string') return source ?? null;
  const value = parseText(source);
  return value === undefined ? source : value;
}

/** The arguments text that gives these `args` again: the text itself when it does not parse as JSON, else JSON text (decision O14). */
export function argumentsText(args: Json): string {
  return typeof args === 'string' && parseText(args) === undefined ? args : stringify(args);
}

/**
 * The tool calls that markup in a content spells (RFC-0009; decision O4). The ids are `embedded-{step}-{name}`, from the second call on
 * with `-{i}` behind.
 */
export function embeddedCalls(content: Json, step: JsonInteger): readonly ToolCall[] {
  return callsInText(content).map(({ name, args }, index) => {
    const suffix = index === 0 ? '' : `-${index + 1}`;
    return { tcid: `${MADE_ID}${step}-${name}${suffix}`, fn: name, args };
  });
}
