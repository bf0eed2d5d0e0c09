import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@pchronicle/storyline-core';

/** What goes aside, by pointer. */
export type Aside = Map<string, Json>;

/** The text at a key; `undefined` when there is none. */
export function textAt(value: Json | undefined, key: string): string | undefined {
  const text = isJsonObject(value) ? getOwn(value, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Puts all keys of an object aside but those that were used. */
export function putAside(value: Json, used: readonly string[], at: string, aside: Aside): void {
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (!used.includes(key)) aside.set(appendPointer(at, key), member);
  }
}

/** The positions of the calls in what an assistant says: of parts with one id, the first counts. */
export function callPositions(content: Json | undefined): ReadonlySet<number> {
  const byId = new Map<string, number>();
  (isJsonArray(content) ? content : []).forEach((part, index) => {
    const id = textAt(part, 'type') === 'toolCall' && textAt(part, 'name') ? textAt(part, 'id') : undefined;
    if (id && !byId.has(id)) byId.set(id, index);
  });
  return new Set(byId.values());
}

/** What a content says. */
export interface Heard {
  readonly text: string | undefined;
  readonly thoughts: string;
  /** The calls, with their pointers. */
  readonly calls: readonly (readonly [part: JsonObject, place: string])[];
}

/** What a content says; what it holds besides goes aside, and so do the second and further parts of a joined text. */
export function listen(content: Json | undefined, assistant: boolean, at: string, aside: Aside): Heard {
  if (typeof content === 'string') return { text: content, thoughts: '', calls: [] };
  if (!isJsonArray(content)) {
    if (content !== undefined) aside.set(at, content);
    return { text: undefined, thoughts: '', calls: [] };
  }
  const joined: { readonly [type: string]: string[] } = { text: [], thinking: [] };
  const calls: (readonly [JsonObject, string])[] = [];
  const positions = assistant ? callPositions(content) : new Set<number>();
  content.forEach((part, index) => {
    const place = `${at}/${index}`;
    const type = textAt(part, 'type');
    const key = type === 'thinking' && textAt(part, 'thinking') !== undefined ? 'thinking' : 'text';
    const text = textAt(part, key);
    const speaks = type === 'text' || (type === 'thinking' && assistant && text !== '');
    if (positions.has(index)) calls.push([part as JsonObject, place]);
    else if (speaks && text !== undefined) {
      const list = joined[type ?? ''] as string[];
      list.push(text);
      if (list.length === 1) putAside(part, ['type', key], place, aside);
      else aside.set(place, part);
    } else aside.set(place, part);
  });
  const { text = [], thinking = [] } = joined;
  return { text: text.length === 0 ? undefined : text.join('\n'), thoughts: thinking.join('\n'), calls };
}
