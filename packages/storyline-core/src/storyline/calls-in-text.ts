import { parseText } from '../json/parse-text.ts';
import {
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';

/** A tool call that a model spelled in its text. */
export interface SpelledCall {
  readonly name: string;
  readonly args: Json;
}

const CALL = '<tool_call>';
const CALL_END = '</tool_call>';
const FUNCTION = '<function=';
const FUNCTION_END = '</function>';
const PARAMETER = '<parameter=';
const PARAMETER_END = '</parameter>';

/**
 * The tool calls that markup in a model's text spells, as models write it whose server does not take it out (decision O4):
 * `<tool_call>name` and `<function=name>` with parameters, `<function=…>` inside `<tool_call>` (Qwen), JSON inside `<tool_call>`
 * (Hermes), any number of them.
 */
export function callsInText(text: string): readonly SpelledCall[] {
  if (!text.includes(CALL) && !text.includes(FUNCTION)) return [];
  return blocksOf(text).flatMap((block) => readBlock(block) ?? []);
}

/** One text for each call: the inside of each `<tool_call>` (from one `<function=` to the next in it), else of each `<function=`. */
function blocksOf(text: string): readonly string[] {
  const mark = text.includes(CALL) ? CALL : FUNCTION;
  const blocks = split(text, mark, mark === CALL ? CALL_END : FUNCTION_END);
  if (mark === FUNCTION) return blocks.map((block) => FUNCTION + block);
  return blocks.flatMap((block) =>
    block.includes(FUNCTION) && block.trimStart().startsWith(FUNCTION)
      ? split(block, FUNCTION, FUNCTION_END).map((inner) => FUNCTION + inner)
      : [block],
  );
}

/** What stands behind each mark, up to its end mark or the next mark. */
function split(text: string, mark: string, end: string): readonly string[] {
  const blocks: string[] = [];
  let start = text.indexOf(mark);
  while (start !== -1) {
    const next = text.indexOf(mark, start + mark.length);
    const block = text.slice(start + mark.length, next === -1 ? undefined : next);
    const close = block.indexOf(end);
    blocks.push(close === -1 ? block : block.slice(0, close));
    start = next;
  }
  return blocks;
}

function readBlock(block: string): SpelledCall | undefined {
  const trimmed = block.trim();
  if (trimmed.startsWith('{')) {
    const value = parseText(trimmed);
    return isJsonObject(value) ? readJsonCall(value) : undefined;
  }
  const rest = trimmed.startsWith(FUNCTION) ? trimmed.slice(FUNCTION.length) : trimmed;
  const name = rest.slice(0, endOfName(rest)).trim();
  return name === '' ? undefined : { name, args: readParameters(rest) };
}

/** The form that Hermes models write: `{"name": …, "arguments": …}`. */
function readJsonCall(call: JsonObject): SpelledCall | undefined {
  const inner = getOwn(call, 'function');
  const body = isJsonObject(inner) ? inner : call;
  const name = getOwn(body, 'name');
  if (typeof name !== 'string' || name === '') return undefined;
  const source = getOwn(body, 'arguments') ?? getOwn(body, 'parameters');
  return { name, args: typeof source === 'string' ? (parseText(source) ?? source) : (source ?? {}) };
}

function endOfName(text: string): number {
  const end = text.search(/[>\n<]/);
  return end === -1 ? text.length : end;
}

/** Every `<parameter=key>value</parameter>`, trimmed; the last of equal keys wins, a missing end takes the rest. */
function readParameters(text: string): JsonObject {
  const args: MutableJsonObject = {};
  let at = text.indexOf(PARAMETER);
  while (at !== -1) {
    const start = at + PARAMETER.length;
    const close = text.indexOf('>', start);
    if (close === -1) break;
    const end = text.indexOf(PARAMETER_END, close);
    const key = text.slice(start, close).trim();
    const value = text.slice(close + 1, end === -1 ? undefined : end).trim();
    if (key !== '') setOwn(args, key, value);
    at = end === -1 ? -1 : text.indexOf(PARAMETER, end);
  }
  return args;
}
