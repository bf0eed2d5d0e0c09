import { type Json, stringify } from '@pchronicle/storyline-core';
import { formatCount } from '../terminal/numbers.ts';
import { clip, safeText } from '../terminal/safe.ts';
import type { RenderOptions } from './render.ts';

const LONG = 2_000;

/** A value for reading: text as it is, content parts by their text, anything else as JSON. */
export function readable(value: Json): string {
  if (typeof value === 'string') return value;
  const parts = textOfParts(value);
  if (parts !== undefined) return parts;
  const compact = stringify(value);
  return compact.length <= 100 ? compact : stringify(value, { indent: 2 });
}

/** Text as indented, safe lines; a long one is cut, with what is missing said, unless all is wanted. */
export function textLines(text: string, indent: string, options: RenderOptions): string[] {
  const long = !options.full && text.length > LONG;
  const shown = long ? clip(text, LONG) : text;
  const lines = safeText(shown)
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `${indent}${line}`);
  if (long) {
    const rest = formatCount(text.length - LONG + 1);
    lines.push(`${indent}${options.style.faint(`… ${rest} more characters (--full shows all)`)}`);
  }
  return lines;
}

// Message content in parts, as the large providers write it: [{type: 'text', text: '…'}, …].
function textOfParts(value: Json): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts: string[] = [];
  for (const part of value as readonly Json[]) {
    if (typeof part !== 'object' || part === null || !('text' in part) || typeof part.text !== 'string') {
      return undefined;
    }
    texts.push(part.text);
  }
  return texts.join('\n');
}
