import { constants, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SyncSource } from './bytes.ts';
import { readAhead } from './read-ahead.ts';

/** A source that holds a resource until it is closed. */
export type ClosableSource = SyncSource & { close(): Promise<void> };

/**
 * Opens a file for reading; `name` (the path by default) becomes `Place.source`. The size is that at opening: what is appended later is
 * not seen. Throws what the file system throws, and an error for what is no regular file. Close it when done.
 */
export async function openFile(path: string, name: string = path): Promise<ClosableSource> {
  // A named pipe without a writer would hold the process for ever, deaf to Ctrl-C; not blocking means nothing to a file.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle.fd);
    if (!stats.isFile())
      throw Object.assign(new Error('it is not a regular file'), { code: 'EINVAL', syscall: 'open', path });
    return {
      name,
      path: resolve(path),
      size: stats.size,
      read: readAhead(
        async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
        stats.size,
      ),
      readSync: (target, position) => readSync(handle.fd, target, 0, target.length, position),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
