import type { ByteRange, Source } from '@pchronicle/storyline-core';
import { fileTarget } from '../io/file-target.ts';
import { refuseExisting } from '../io/settle-output.ts';
import type { Target } from '../io/target.ts';

/** Where rejected documents go, byte for byte as they were. */
export interface Rejects {
  /** Copies the bytes of one rejected document. */
  add(source: Source, ranges: readonly ByteRange[]): Promise<void>;
  /** Makes the file appear; without rejects there is none. */
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** Rejects that nobody asked to keep. */
export const noRejects: Rejects = { add: async () => {}, commit: async () => {}, abort: async () => {} };

const CHUNK = 256 * 1024;
const NEWLINE = 10;

/**
 * Opens the rejects file when the first document is rejected. Each range is copied with the rest of its line, if that is blank; where
 * there is none, one is put before the next range, so that neighbours never run into each other.
 */
export async function rejectsFile(path: string, overwrite: boolean): Promise<Rejects> {
  await refuseExisting(path, { overwrite, shown: path });
  let target: Target | undefined;
  let lastByte = NEWLINE;
  const buffer = Buffer.alloc(CHUNK);

  const copy = async (into: Target, source: Source, range: ByteRange): Promise<void> => {
    if (lastByte !== NEWLINE) await into.write('\n');
    for (let at = range.start; at < range.end; ) {
      const wanted = buffer.subarray(0, Math.min(CHUNK, range.end - at));
      const got = await source.read(wanted, at);
      if (got === 0) break;
      await into.write(wanted.subarray(0, got));
      lastByte = wanted[got - 1] ?? NEWLINE;
      at += got;
    }
    if (lastByte === NEWLINE) return; // the range brought its line break along
    const after = await lineBreakAt(source, range.end);
    if (after === '') return;
    await into.write(after);
    lastByte = NEWLINE;
  };

  return {
    async add(source, ranges) {
      target ??= await fileTarget(path, { overwrite, shown: path });
      for (const range of ranges) await copy(target, source, range);
    },
    commit: async () => target?.commit(),
    abort: async () => target?.abort(),
  };
}

// The rest of the line, if nothing but spaces stands there.
async function lineBreakAt(source: Source, position: number): Promise<string> {
  const bytes = new Uint8Array(256);
  const got = await source.read(bytes, position);
  const text = String.fromCharCode(...bytes.subarray(0, got));
  return /^[ \t]*\r?\n/.exec(text)?.[0] ?? '';
}
