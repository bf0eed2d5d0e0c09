import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { keep, temporaryFolder } from './temporary.ts';

/** Bytes appended and read back by position: in memory while they are few, then in a private temporary file. */
export interface SpoolFile {
  readonly size: number;
  append(bytes: Uint8Array): void;
  /** A copy of the bytes from `start` to `end`. */
  read(start: number, end: number): Uint8Array;
  /** Forgets everything from `size` on. */
  truncate(size: number): void;
  close(): void;
}

/** Makes a spool that holds up to `memoryBytes` in memory. */
export function createSpoolFile(memoryBytes = 16 * 1024 * 1024): SpoolFile {
  let memory: Buffer = Buffer.alloc(0);
  let folder: string | undefined;
  let handle: number | undefined;
  let size = 0;

  const spill = (): number => {
    folder = temporaryFolder();
    handle = openSync(join(folder, 'spool'), 'wx+', 0o600);
    writeFully(handle, memory.subarray(0, size), 0);
    memory = Buffer.alloc(0);
    return handle;
  };

  return {
    get size() {
      return size;
    },
    append(bytes) {
      if (handle === undefined && size + bytes.length <= memoryBytes) {
        if (size + bytes.length > memory.length) {
          const grown = Buffer.alloc(Math.min(memoryBytes, Math.max(4096, (size + bytes.length) * 2)));
          memory.copy(grown, 0, 0, size);
          memory = grown;
        }
        memory.set(bytes, size);
      } else {
        writeFully(handle ?? spill(), bytes, size);
      }
      size += bytes.length;
    },
    read(start, end) {
      const target = Buffer.alloc(end - start);
      if (handle === undefined) memory.copy(target, 0, start, end);
      else readFully(handle, target, start);
      return target;
    },
    truncate(to) {
      size = to;
      if (handle !== undefined) ftruncateSync(handle, to);
    },
    close() {
      memory = Buffer.alloc(0);
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
      if (folder === undefined) return;
      rmSync(folder, { recursive: true, force: true });
      keep(folder);
      folder = undefined;
    },
  };
}

function writeFully(handle: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at, position + at);
}

function readFully(handle: number, target: Uint8Array, position: number): void {
  for (let at = 0; at < target.length; ) {
    const count = readSync(handle, target, at, target.length - at, position + at);
    if (count === 0) throw new Error('a temporary file became shorter while it was used');
    at += count;
  }
}
