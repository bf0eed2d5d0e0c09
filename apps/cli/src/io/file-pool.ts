import { closeSync, openSync, readSync } from 'node:fs';
import type { Source } from '@pchronicle/storyline-core';

/** Files that are open at a time: far below what systems allow. */
const MOST_OPEN = 64;

/** Many files to read from, few of them open at a time. */
export interface FilePool {
  /** A source of a file of known size, opened when it is read. */
  source(path: string, name: string, size: number): Source;
  close(): void;
}

/** Starts without an open file. */
export function createFilePool(): FilePool {
  /** By path, the one that was used last at the end. */
  const open = new Map<string, number>();
  const handleOf = (path: string): number => {
    const known = open.get(path);
    if (known !== undefined) {
      open.delete(path);
      open.set(path, known);
      return known;
    }
    const [oldest] = open;
    if (oldest !== undefined && open.size >= MOST_OPEN) {
      open.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    const handle = openSync(path, 'r');
    open.set(path, handle);
    return handle;
  };
  return {
    source(path, name, size) {
      const read = (target: Uint8Array, position: number): number => {
        const wanted = target.subarray(0, Math.max(0, size - position));
        return wanted.length === 0 ? 0 : readSync(handleOf(path), wanted, 0, wanted.length, position);
      };
      return { name, size, path, read, readSync: read };
    },
    close() {
      for (const handle of open.values()) closeSync(handle);
      open.clear();
    },
  };
}
