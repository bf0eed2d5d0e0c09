import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../failure.ts';

/** Makes a folder and those above it that are missing. Not with Node's `recursive`, which never ends where none can be made (/proc). */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
