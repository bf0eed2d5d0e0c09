import { COLON, COMMA, decodeUtf8, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipBlank } from './bytes.ts';
import { parsePointer } from './pointer.ts';
import { skipInMemory } from './skip.ts';

/** A place that is looked for, with the places inside it that are. */
interface Wanted {
  readonly parent: Wanted | undefined;
  readonly children: Map<string, Wanted>;
  offset: number;
}

/** A container that holds wanted places. */
interface Frame {
  readonly wanted: Wanted;
  readonly isArray: boolean;
  index: number;
}

/**
 * Finds where the values of many pointers start, in one pass over the bytes of a JSON value: the offset of each pointer's value, or of
 * its nearest ancestor that exists. Containers without a wanted place in them are stepped over. The bytes should be valid JSON; other
 * bytes give some offset, never a throw or an endless loop.
 */
export function locatePointers(bytes: Uint8Array, pointers: readonly string[]): readonly number[] {
  const root: Wanted = { parent: undefined, children: new Map(), offset: skipBlank(bytes, 0, bytes.length) };
  const places = pointers.map((pointer) => plant(root, parsePointer(pointer) ?? []));
  walk(bytes, root);
  return places.map((place) => {
    let known: Wanted = place;
    while (known.offset === -1 && known.parent !== undefined) known = known.parent;
    return known.offset;
  });
}

function plant(root: Wanted, tokens: readonly string[]): Wanted {
  let place = root;
  for (const token of tokens) {
    let child = place.children.get(token);
    if (child === undefined) {
      child = { parent: place, children: new Map(), offset: -1 };
      place.children.set(token, child);
    }
    place = child;
  }
  return place;
}

function walk(bytes: Uint8Array, root: Wanted): void {
  const stack: Frame[] = [];
  let position = root.offset;
  let wanted: Wanted | undefined = root;
  for (;;) {
    // A value starts at `position`; `wanted` is its place, if anybody looks for it or for something in it.
    const byte = bytes[position];
    if (wanted !== undefined && wanted.children.size > 0 && (byte === OPEN_OBJECT || byte === OPEN_ARRAY)) {
      stack.push({ wanted, isArray: byte === OPEN_ARRAY, index: -1 });
      position += 1;
    } else {
      position = skipInMemory(bytes, position);
    }
    // Go to the next value of the innermost container, out of all that end here.
    for (;;) {
      const frame = stack[stack.length - 1];
      if (frame === undefined) return;
      position = skipBlank(bytes, position, bytes.length);
      if (bytes[position] === COMMA) position = skipBlank(bytes, position + 1, bytes.length);
      const next = bytes[position];
      if (next === undefined) return;
      if ((next | 0x20) === 0x7d) {
        position += 1;
        stack.pop();
        continue;
      }
      if (frame.isArray) {
        frame.index += 1;
        wanted = frame.wanted.children.get(String(frame.index));
      } else {
        if (next !== QUOTE) return;
        const end = skipInMemory(bytes, position);
        wanted = frame.wanted.children.get(keyAt(bytes, position, end));
        position = skipBlank(bytes, end, bytes.length);
        if (bytes[position] !== COLON) return;
        position = skipBlank(bytes, position + 1, bytes.length);
      }
      if (wanted !== undefined) wanted.offset = position;
      break;
    }
  }
}

function keyAt(bytes: Uint8Array, start: number, end: number): string {
  try {
    return JSON.parse(decodeUtf8(bytes, start, end)) as string;
  } catch {
    return '';
  }
}
