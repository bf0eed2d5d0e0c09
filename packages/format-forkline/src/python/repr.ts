import { isJsonArray, isJsonObject, isNumeric, type Json } from '@pchronicle/storyline-core';
import { isFloat, numberText } from './number.ts';

/** Python's name of a value's type, as replay comparison prints it. */
export function typeName(value: Json): 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict' {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  if (isNumeric(value)) return isFloat(value) ? 'float' : 'int';
  return isJsonArray(value) ? 'list' : 'dict';
}

/** Categories that Python's `repr` prints as escapes: controls, formats, surrogates, private use, unassigned, separators but the space. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;

/** What {@link pythonRepr} has still to write: text as it is, or a value. */
type Pending = { readonly text: string } | { readonly value: Json };

/** Python's `repr` of a value parsed from JSON (used by replay summaries and by the redaction hash of 0.1 to 0.4). No recursion. */
export function pythonRepr(root: Json): string {
  let out = '';
  const todo: Pending[] = [{ value: root }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ('text' in next) out += next.text;
    else if (isJsonArray(next.value)) {
      todo.push({ text: ']' });
      for (let index = next.value.length - 1; index >= 0; index -= 1) {
        todo.push({ value: next.value[index] ?? null });
        if (index > 0) todo.push({ text: ', ' });
      }
      out += '[';
    } else if (isJsonObject(next.value)) {
      const members = Object.entries(next.value);
      todo.push({ text: '}' });
      for (let index = members.length - 1; index >= 0; index -= 1) {
        const [key, value] = members[index] ?? ['', null];
        todo.push({ value }, { text: `${index > 0 ? ', ' : ''}${reprString(key)}: ` });
      }
      out += '{';
    } else out += reprScalar(next.value);
  }
  return out;
}

function reprScalar(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return reprString(value);
  if (!isNumeric(value)) return '';
  const written = numberText(value);
  return written === 'NaN' ? 'nan' : written.replace('Infinity', 'inf');
}

function reprString(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  let out = '';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (character === quote || character === '\\') out += `\\${character}`;
    else if (character === '\n') out += '\\n';
    else if (character === '\r') out += '\\r';
    else if (character === '\t') out += '\\t';
    else if (character === ' ' || !UNPRINTABLE.test(character)) out += character;
    else if (code < 0x100) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code < 0x10000) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += `\\U${code.toString(16).padStart(8, '0')}`;
  }
  return quote + out + quote;
}
