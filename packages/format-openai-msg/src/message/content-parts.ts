import { isJsonArray, type Json, memberOf, parseText } from '@pchronicle/storyline-core';

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

/**
 * Content as a structured value: a text that spells a non-empty array of known content parts, or one such part, is that value;
 * everything else stays as it is (RFC-0009, accepted shapes; decision O3).
 */
export function decodeContent(content: Json): Json {
  if (typeof content !== 'string' || !/^[ \t\n\r]*[[{]/.test(content)) return content;
  if (!content.includes('"type"') && !content.includes('\\u')) return content;
  const value = parseText(content);
  if (isPart(value)) return value as Json;
  return isJsonArray(value) && value.length > 0 && value.every(isPart) ? value : content;
}

function isPart(value: Json | undefined): boolean {
  return PART_KINDS.has(memberOf(value, 'type') ?? null);
}
