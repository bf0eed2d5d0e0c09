import { getOwn, isJsonArray, isJsonObject, type Json } from './value.ts';

/** Escapes one reference token of an RFC 6901 pointer: `~` becomes `~0`, `/` becomes `~1` (RFC 6901 §3). */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** Appends tokens to a pointer: `appendPointer('/a', 'b/c', 0)` is `/a/b~1c/0`. */
export function appendPointer(base: string, ...tokens: readonly (string | number)[]): string {
  return base + formatPointer(tokens);
}

/** The pointer made of these tokens; `""` for none (the whole document). */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  return pointer;
}

/** The tokens of a pointer, unescaped; `undefined` when the text is no RFC 6901 pointer (no leading `/`, or a `~` that is neither `~0` nor `~1`). */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  const tokens = text.slice(1).split('/');
  return text.includes('~')
    ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    : tokens;
}

/** The array position a token names (RFC 6901 §4: digits without a leading zero), or `undefined`. */
export function parseArrayIndex(token: string): number | undefined {
  return /^(0|[1-9][0-9]{0,15})$/.test(token) ? Number(token) : undefined;
}

/** The value a pointer leads to, or `undefined` when there is none (or the text is no pointer). */
export function getPointer(value: Json, pointer: string): Json | undefined {
  const tokens = parsePointer(pointer);
  if (tokens === undefined) return undefined;
  let current: Json | undefined = value;
  for (const token of tokens) {
    if (isJsonArray(current)) {
      const index = parseArrayIndex(token);
      current = index === undefined ? undefined : current[index];
    } else if (isJsonObject(current)) {
      current = getOwn(current, token);
    } else {
      return undefined;
    }
  }
  return current;
}
