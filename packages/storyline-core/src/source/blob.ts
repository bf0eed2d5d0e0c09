import type { Source } from '../source.ts';

/** A source of a Blob or File; `name` becomes `Place.source`. */
export function blobSource(name: string, blob: Blob): Source {
  return {
    name,
    size: blob.size,
    async read(target, position) {
      const part = new Uint8Array(await blob.slice(position, position + target.length).arrayBuffer());
      target.set(part);
      return part.length;
    },
  };
}
