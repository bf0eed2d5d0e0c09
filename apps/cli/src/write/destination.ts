import { stat } from 'node:fs/promises';
import type { WriteOptions } from '../commands/write-options.ts';
import { usageFailure } from '../failure.ts';
import { refuseExisting } from '../io/settle-output.ts';
import { refuseInStore } from '../io/store-folder.ts';

/** Where a command writes its documents. */
export type Destination =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Reads `-o`: nothing is stdout, a folder (existing, or ending in a slash) takes one file a document, anything else is a file. Existing files are refused before any work is done. */
export async function destinationOf(
  options: Pick<WriteOptions, 'output' | 'overwrite' | 'losses'>,
): Promise<Destination> {
  const overwrite = options.overwrite === true;
  if (options.losses !== undefined)
    await refuseExisting(options.losses, { overwrite, shown: options.losses });
  const path = options.output;
  if (path === undefined || path === '-') return { kind: 'stdout' };
  if (path === '') throw usageFailure('cli/no-output', '-o needs the name of a file or folder');
  if (/[/\\]$/.test(path) || (await isFolder(path))) {
    refuseInStore(path, path);
    return { kind: 'folder', path };
  }
  await refuseExisting(path, { overwrite, shown: path });
  return { kind: 'file', path };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
