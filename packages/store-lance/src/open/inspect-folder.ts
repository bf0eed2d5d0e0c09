import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainCreation, explainFailure } from '../lance/explain-failure.ts';
import { TABLE_NAMES } from '../layout.ts';
import { StoreError } from '../store-error.ts';
import type { StoreLocation } from '../uri.ts';

/** Looks at a local store's folder before Lance does (Lance calls a file an empty store), and makes it where a store is to be made. */
export async function inspectFolder(location: StoreLocation, create: boolean): Promise<void> {
  const { folder, shown } = location;
  if (folder === undefined) return;
  let names: string[];
  try {
    if (!(await stat(folder)).isDirectory())
      throw new StoreError('store/not-a-store', `${shown} is a file; a store is a folder`);
    names = await readdir(folder);
  } catch (cause) {
    if (!isMissing(cause)) throw explainFailure(cause, `open the store ${shown}`);
    if (!create) throw new StoreError('store/not-found', `there is no store at ${shown}`);
    // Not left to Lance, which says of a place where no folder can be made that it was not found.
    await makeFolder(folder).catch((failure) => {
      throw explainCreation(failure, shown);
    });
    return;
  }
  // With any of the tables there it is a store, or what is left of one, or one that is being made: opening them tells.
  const started = TABLE_NAMES.some((name) => names.includes(`${name}.lance`));
  if (started) return;
  const foreign = names.filter(
    (name) => !name.startsWith('.') && !TABLE_NAMES.some((table) => name === `${table}.lance`),
  );
  if (foreign.length > 0) {
    const what = create ? 'a new store needs an empty folder' : 'a store holds the folder runs.lance';
    throw new StoreError(
      create ? 'store/foreign-folder' : 'store/not-found',
      `${shown} holds other files ("${foreign[0]}"); ${what}`,
    );
  }
  if (!create) throw new StoreError('store/not-found', `there is no store at ${shown}`);
}

/** Whether there is nothing: not this, or a part of the path to it is a file. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

/** Makes a folder and those above it. Node's own `recursive` never ends where none can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((cause: NodeJS.ErrnoException) => {
    // Another process may be making the same store.
    if (cause.code !== 'EEXIST') throw cause;
  });
}
