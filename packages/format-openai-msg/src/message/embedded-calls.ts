import {
  callsInText,
  isJsonArray,
  type Json,
  type JsonInteger,
  memberOf,
  type ToolCall,
} from '@pchronicle/storyline-core';

/**
 * The tool calls that markup in a content spells (RFC-0009; decision O4). The ids are `embedded-{step}-{name}`, from the second call on
 * with `-{i}` behind.
 */
export function embeddedCalls(content: Json, step: JsonInteger): readonly ToolCall[] {
  return callsInText(textOf(content)).map(({ name, args }, index) => {
    const suffix = index === 0 ? '' : `-${index + 1}`;
    return { tcid: `embedded-${step}-${name}${suffix}`, fn: name, args };
  });
}

/** The text in which markup is looked for: a string, the `text` of an object, or the texts of an array joined by line ends. */
function textOf(content: Json): string {
  const parts = isJsonArray(content) ? content : [content];
  return parts
    .map((part) => memberOf(part, 'text') ?? part)
    .filter((part) => typeof part === 'string')
    .join('\n');
}
