import { encodeText } from '../json/parse.ts';
import type { Source } from '../source.ts';

/** A source that can be read without waiting. */
export type SyncSource = Source & Required<Pick<Source, 'readSync'>>;

/** A source of bytes in memory, or of a text's UTF-8; `name` becomes `Place.source`. The bytes must not change while they are read. */
export function bytesSource(name: string, input: Uint8Array | string): SyncSource {
  const bytes = typeof input === 'string' ? encodeText(input) : input;
  const readSync = (target: Uint8Array, position: number): number => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  return { name, size: bytes.length, read: readSync, readSync };
}
