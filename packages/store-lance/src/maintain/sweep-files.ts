import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TABLE_NAMES } from '../layout.ts';

/** Removes what killed writers left in the folders of a local store: temporary files older than `before` (milliseconds). Gives their number. */
export async function sweepFiles(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of TABLE_NAMES) {
    const root = join(folder, `${name}.lance`);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !/^\.tmp|#\d+$/.test(entry.name)) continue;
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtimeMs >= before) continue;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
