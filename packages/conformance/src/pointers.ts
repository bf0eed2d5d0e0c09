import {
  appendPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  parsePointer,
} from '@pchronicle/storyline-core';

/** The members of a value: key and value of an object, index and value of an array; none of a scalar. */
export function membersOf(value: Json): readonly (readonly [token: string, value: Json])[] {
  if (isJsonArray(value)) return value.map((element, index) => [String(index), element] as const);
  if (isJsonObject(value)) return Object.keys(value).map((key) => [key, value[key] ?? null] as const);
  return [];
}

/** Pointers of all values in a document, the root first. */
export function pointersOf(document: Json): readonly string[] {
  const pointers: string[] = [];
  const pending: (readonly [pointer: string, value: Json])[] = [['', document]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, value] = next;
    pointers.push(pointer);
    for (const [token, member] of membersOf(value)) pending.push([appendPointer(pointer, token), member]);
  }
  return pointers;
}

/** The values that a pointer leads to in a document; a `*` stands for any array position. */
export function valuesAt(document: Json, pointer: string): readonly Json[] {
  let reached: readonly Json[] = [document];
  for (const token of parsePointer(pointer) ?? []) {
    reached = reached.flatMap((value) =>
      membersOf(value)
        .filter(([own]) => own === token || (token === '*' && isJsonArray(value)))
        .map(([, member]) => member),
    );
  }
  return parsePointer(pointer) === undefined ? [] : reached;
}

/** Whether a pointer leads somewhere in a document; a `*` stands for any array position. */
export function pointerExists(document: Json, pointer: string): boolean {
  return valuesAt(document, pointer).length > 0;
}

/** The pointer of the value that holds the one a pointer names. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** Whether `outer` names the same value as `inner`, or one that holds it; a `*` in `outer` stands for any array position. */
export function covers(outer: string, inner: string): boolean {
  const wanted = outer.split('/');
  const tokens = inner.split('/');
  return (
    wanted.length <= tokens.length && wanted.every((token, index) => matches(token, tokens[index] ?? ''))
  );
}

function matches(pattern: string, token: string): boolean {
  return (
    pattern === token || (pattern === '*' && /^\d+$/.test(token)) || (token === '*' && /^\d+$/.test(pattern))
  );
}
