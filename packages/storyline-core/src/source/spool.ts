import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClosableSource, openFile } from './file.ts';

/**
 * Copies a stream (standard input, a download) to a private temporary file, which only its owner can read, and opens it; the file
 * is removed when the source is closed, and when copying fails. `name` becomes `Place.source`.
 */
export async function spool(
  stream: AsyncIterable<Uint8Array | string>,
  name: string,
): Promise<ClosableSource> {
  const folder = await mkdtemp(join(tmpdir(), 'pchronicle-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'input');
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of stream) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    const { path: _, ...source } = await openFile(path, name);
    return {
      ...source,
      async close() {
        await source.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
