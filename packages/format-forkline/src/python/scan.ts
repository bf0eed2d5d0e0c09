import type { Json, MutableJsonObject } from '@pchronicle/storyline-core';

/** Where and why a text is not JSON to Python. */
export interface PythonJsonFault {
  /** One sentence: what was expected. */
  readonly message: string;
  /** 0-based position in characters (code points), as Python counts. */
  readonly position: number;
  /** 1-based line. */
  readonly line: number;
  /** 1-based column in characters. */
  readonly column: number;
}

/** How the scanner makes values. */
export interface JsonBuilder {
  number(token: string): Json;
  set(object: MutableJsonObject, key: string, value: Json): void;
}

type Parsed = { readonly value: Json } | { readonly fault: PythonJsonFault };

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NAMED = /NaN|-?Infinity|null|true|false/y;
const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a run of plain string text
const PLAIN = /[^"\\\u0000-\u001f]*/y;

const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** A container that is still open. */
type Open = { readonly array: Json[] } | { readonly object: MutableJsonObject; key: string };

/** Scans JSON text with Python's grammar and its fault positions, without recursion. */
export function scanJson(text: string, depth: number, digits: number, builder: JsonBuilder): Parsed {
  let at = 0;
  const stack: Open[] = [];

  function fault(message: string, position: number): Parsed {
    return { fault: locate(text, message, position) };
  }
  function skipSpace(): void {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  }
  /** Reads a string whose opening quote is behind `at`; gives its text, or the fault. */
  function readString(): string | Parsed {
    const opening = at - 1;
    let result = '';
    for (;;) {
      PLAIN.lastIndex = at;
      PLAIN.test(text);
      const end = PLAIN.lastIndex;
      if (end > at) result += text.slice(at, end);
      at = end;
      if (at >= text.length) return fault('a string starts here and is not closed', opening);
      const unit = text[at];
      if (unit === '"') {
        at += 1;
        return result;
      }
      if (unit !== '\\') return fault('a control character stands in a string, where it must be escaped', at);
      const letter = text[at + 1];
      if (letter === undefined) return fault('a string starts here and is not closed', opening);
      if (letter === 'u') {
        const hex = text.slice(at + 2, at + 6);
        if (!/^[0-9a-fA-F]{4}$/.test(hex))
          return fault('\\u must be followed by four hexadecimal digits', at + 1);
        result += String.fromCharCode(Number.parseInt(hex, 16));
        at += 6;
      } else {
        const escaped = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
        if (escaped === undefined) return fault('an escape that JSON does not have', at);
        result += escaped;
        at += 2;
      }
    }
  }

  if (text.startsWith('\ufeff'))
    return fault('the text starts with a byte order mark, which Python refuses', 0);
  let value: Json | undefined;
  skipSpace();
  for (;;) {
    // A value is due at `at`.
    const unit = text[at];
    value = undefined;
    if (unit === '{' || unit === '[') {
      if (stack.length >= depth) return fault(`the nesting is deeper than ${depth} levels`, at);
      at += 1;
      skipSpace();
      if (unit === '[') {
        if (text[at] === ']') {
          at += 1;
          value = [];
        } else {
          stack.push({ array: [] });
          continue;
        }
      } else if (text[at] === '}') {
        at += 1;
        value = {};
      } else {
        if (text[at] !== '"') return fault('a property name in double quotes was expected', at);
        at += 1;
        const key = readString();
        if (typeof key !== 'string') return key;
        const colon = readColon();
        if (colon !== undefined) return colon;
        stack.push({ object: {}, key });
        continue;
      }
    } else if (unit === '"') {
      at += 1;
      const read = readString();
      if (typeof read !== 'string') return read;
      value = read;
    } else {
      NAMED.lastIndex = at;
      NUMBER.lastIndex = at;
      const named = NAMED.exec(text)?.[0];
      if (named !== undefined) {
        at += named.length;
        value =
          named === 'null'
            ? null
            : named === 'true'
              ? true
              : named === 'false'
                ? false
                : builder.number(named);
      } else {
        const token = NUMBER.exec(text)?.[0];
        if (token === undefined) return fault('a value was expected', at);
        if (token.length > digits && !/[.eE]/.test(token) && token.replace('-', '').length > digits) {
          return fault(`an integer has more than ${digits} digits`, at);
        }
        at += token.length;
        value = builder.number(token);
      }
    }
    // The value is complete: hand it to its container, and close what ends here.
    for (;;) {
      const top = stack[stack.length - 1];
      if (top === undefined) {
        skipSpace();
        return at < text.length ? fault('more text follows the value', at) : { value };
      }
      skipSpace();
      const next = text[at];
      if ('array' in top) {
        top.array.push(value);
        if (next === ',') {
          at += 1;
          skipSpace();
          break;
        }
        if (next !== ']') return fault("',' or ']' was expected", at);
        value = top.array;
      } else {
        builder.set(top.object, top.key, value);
        if (next === ',') {
          at += 1;
          skipSpace();
          if (text[at] !== '"') return fault('a property name in double quotes was expected', at);
          at += 1;
          const key = readString();
          if (typeof key !== 'string') return key;
          const colon = readColon();
          if (colon !== undefined) return colon;
          top.key = key;
          break;
        }
        if (next !== '}') return fault("',' or '}' was expected", at);
        value = top.object;
      }
      at += 1;
      stack.pop();
    }
  }

  function readColon(): Parsed | undefined {
    skipSpace();
    if (text[at] !== ':') return fault("':' was expected", at);
    at += 1;
    skipSpace();
    return undefined;
  }
}

function locate(text: string, message: string, index: number): PythonJsonFault {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    message,
    position: characters(before),
    line: before.split('\n').length,
    column: characters(before.slice(lineStart)) + 1,
  };
}

/** Length in code points. */
function characters(text: string): number {
  let count = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count -= 1;
  return count;
}
