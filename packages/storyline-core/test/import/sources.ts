import type { ImportEvent, ImportOptions, Source } from '@pchronicle/storyline-core';
import { type AnyFormat, bytesSource, importStorylines } from '@pchronicle/storyline-core';

/** A source that gives at most `size` bytes a read; without `readSync` unless asked for. */
export function chunkedSource(bytes: Uint8Array, size: number, sync = false): Source {
  const whole = bytesSource('file', bytes);
  const read = (target: Uint8Array, position: number): number =>
    whole.readSync(target.subarray(0, size), position);
  return { name: 'file', size: bytes.length, read, ...(sync ? { readSync: read } : {}) };
}

/** A source of some giga- or megabytes that exist nowhere: `parts` one after the other, each made when it is read. */
export function syntheticSource(
  parts: readonly (string | { readonly byte: number; readonly length: number })[],
): Source {
  const encoded = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const size = encoded.reduce((sum, part) => sum + part.length, 0);
  const readSync = (target: Uint8Array, position: number): number => {
    let start = 0;
    for (const part of encoded) {
      if (position < start + part.length) {
        const from = position - start;
        const length = Math.min(target.length, part.length - from);
        if (part instanceof Uint8Array) target.set(part.subarray(from, from + length));
        else target.fill(part.byte, 0, length);
        return length;
      }
      start += part.length;
    }
    return 0;
  };
  return { name: 'synthetic', size, read: readSync, readSync };
}

/** All events but progress. */
export async function eventsOf(
  source: Source,
  format: AnyFormat,
  options: ImportOptions = {},
): Promise<readonly ImportEvent[]> {
  const events: ImportEvent[] = [];
  for await (const event of importStorylines(source, format, options))
    if (event.type !== 'progress') events.push(event);
  return events;
}

/** The same of a text. */
export function eventsOfText(
  text: string,
  format: AnyFormat,
  options: ImportOptions = {},
): Promise<readonly ImportEvent[]> {
  return eventsOf(bytesSource('file', text), format, options);
}

/** One line for each event, for comparisons that a person can read. */
export function summarise(events: readonly ImportEvent[]): readonly string[] {
  return events.map((event) => {
    if (event.type === 'document')
      return `document ${event.document.ordinal}${event.document.key === undefined ? '' : ` ${event.document.key}`}`;
    if (event.type === 'storyline') return `storyline ${event.storyline.session} ${event.at.pointer}`;
    if (event.type === 'issue')
      return `${event.issue.severity} ${event.issue.code} ${event.issue.at.pointer} @${event.issue.at.offset}`;
    if (event.type === 'end')
      return `end ${event.accepted} ${event.storylines} ${event.ranges.map(({ start, end }) => `${start}-${end}`).join(' ')}`;
    return 'progress';
  });
}
