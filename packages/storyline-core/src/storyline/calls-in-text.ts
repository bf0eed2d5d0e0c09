import { memberOf } from '../json/member-of.ts';
import { parseText } from '../json/parse-text.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';

/** A tool call that a model spelled in its text. */
export interface SpelledCall {
  readonly name: string;
  readonly args: Json;
}

const CALL = '<tool_call>';
const PARAMETER = '<parameter=';
const PARAMETER_END = '</parameter>';
/** What begins or ends something; the value of a parameter, and JSON, are passed over as a whole. */
const MARKS = /<(?:\/?tool_call>|function=|\/function>|parameter=)/g;
const CALL_ENDS = /<\/(?:tool_call|function)>|$/g;
/** Where a name ends. */
const NAME_END = /[>\n<]|$/g;
/** What may stand before JSON: blanks, and the fence of a code block. */
const BLANKS = /\s*(?:```\w*\s*|(?!\s))/g;

/**
 * The tool calls that markup in a model's text spells, as models write it whose server does not take it out (decision O4):
 * `<tool_call>name` and `<function=name>` with parameters, `<function=…>` inside `<tool_call>` (Qwen), JSON inside `<tool_call>`
 * (Hermes: objects, one after the other or in a list), any number of them. Markup inside of an argument is a part of it. The text is a
 * string, the `text` of an object, or the texts of an array joined by line ends.
 */
export function callsInText(content: Json): readonly SpelledCall[] {
  const text = (isJsonArray(content) ? content : [content])
    .map((part) => memberOf(part, 'text') ?? part)
    .filter((part) => typeof part === 'string')
    .join('\n');
  const calls: SpelledCall[] = [];
  /** Arguments of the call that is open. */
  let args: MutableJsonObject | undefined;
  /** After JSON that is none, JSON ends at the next mark, so that no text is searched to its end again and again. */
  let isBroken = false;
  let hasEnds = true;
  let at = 0;
  for (let mark = find(MARKS, text, at); mark.found !== ''; mark = find(MARKS, text, at)) {
    at = mark.end;
    if (mark.found === PARAMETER) {
      if (args === undefined) continue;
      const close = text.indexOf('>', at);
      if (close === -1) break;
      // A missing end takes the rest of the call.
      let end: number = hasEnds ? text.indexOf(PARAMETER_END, close) : -1;
      hasEnds = end !== -1;
      if (!hasEnds) end = find(CALL_ENDS, text, close).start;
      const key = text.slice(at, close).trim();
      if (key !== '') setOwn(args, key, text.slice(close + 1, end).trim());
      at = end;
      continue;
    }
    args = undefined;
    if (mark.found.startsWith('</')) continue;
    if (mark.found === CALL) at = find(BLANKS, text, at).end;
    let isJson = false;
    while (mark.found === CALL && /[[{]/.test(text.charAt(at))) {
      isJson = true;
      const end = endOfJson(text, at, isBroken ? find(MARKS, text, at).start : text.length);
      const value = end === -1 ? undefined : parseText(text.slice(at, end));
      isBroken ||= value === undefined;
      if (value === undefined) break;
      for (const call of isJsonArray(value) ? value : [value]) calls.push(...jsonCall(call));
      at = find(BLANKS, text, end).end;
    }
    if (isJson) continue;
    const end = find(NAME_END, text, at).start;
    const name = text.slice(at, end).trim();
    at = end;
    if (name === '' || /^["'`]/.test(name)) continue;
    args = {};
    calls.push({ name, args });
  }
  return calls;
}

/** The next match from a position on; nothing at the end when there is none. */
function find(
  pattern: RegExp,
  text: string,
  from: number,
): { readonly found: string; readonly start: number; readonly end: number } {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (match === null) return { found: '', start: text.length, end: text.length };
  return { found: match[0], start: match.index, end: pattern.lastIndex };
}

/** Where the list or object that begins at a position ends; -1 when it does not before `limit`. */
function endOfJson(text: string, from: number, limit: number): number {
  const special = /["\\[\]{}]/g;
  special.lastIndex = from;
  let depth = 0;
  let quoted = false;
  for (let match = special.exec(text); match !== null && match.index < limit; match = special.exec(text)) {
    const [found] = match;
    if (found === '"') quoted = !quoted;
    else if (quoted) special.lastIndex += found === '\\' ? 1 : 0;
    else if (/[[{]/.test(found)) depth += 1;
    else if (found !== '\\') depth -= 1;
    if (depth === 0 && !quoted) return special.lastIndex;
  }
  return -1;
}

/** The form that Hermes models write: `{"name": …, "arguments": …}`. */
function jsonCall(call: Json): readonly SpelledCall[] {
  const inner = memberOf(call, 'function');
  const body = isJsonObject(inner) ? inner : call;
  const name = memberOf(body, 'name');
  if (!isJsonObject(body) || typeof name !== 'string' || name === '') return [];
  const source = getOwn(body, 'arguments') ?? getOwn(body, 'parameters') ?? {};
  return [{ name, args: typeof source === 'string' ? (parseText(source) ?? source) : source }];
}
