// Control characters (C0, DEL, C1) drive a terminal; line and paragraph separators, bidirectional overrides and zero-width marks
// make text read as something it is not; a lone surrogate cannot be encoded.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const UNSAFE_BUT_LAYOUT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text from data made safe for one line of a terminal: whatever could steer it is shown as `\n`, `\t` or `\u001b`. */
export function safeLine(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** Text from data made safe for a terminal, its line breaks and tabs kept. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE_BUT_LAYOUT, visible);
}

/** JSON text made safe for a terminal without changing what it says: such characters stand only inside strings, where an escape means the same. */
export function safeJson(text: string): string {
  return text.replace(UNSAFE_IN_JSON, escaped);
}

/** The first `limit` characters of a line, never half a surrogate pair, with an ellipsis if there was more. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

function visible(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return escaped(character);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
