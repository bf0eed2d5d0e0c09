import { randomBytes } from 'node:crypto';
import { chmod, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure, systemCode } from '../failure.ts';
import { bufferedText } from './buffered-text.ts';
import {
  cannotWrite,
  type FileTargetOptions,
  outputExists,
  refuseExisting,
  settleOutput,
} from './settle-output.ts';
import { releaseOutput, takeOutput } from './taken-files.ts';
import type { Target } from './target.ts';
import { keep, removeAtExit } from './temporary.ts';

/**
 * A file that appears whole or not at all: written beside its place under a temporary name, synced, then renamed.
 * Without `overwrite` an existing file is never replaced, not even one that appears meanwhile, and a file that the command reads never is.
 * Devices and pipes are written directly.
 */
export async function fileTarget(path: string, options: FileTargetOptions): Promise<Target> {
  const place = await settleOutput(path, options);
  const temporary = place.direct
    ? place.path
    : join(
        dirname(place.path),
        `.${basename(place.path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`,
      );
  if (!place.direct && !takeOutput(place.path)) throw sameOutput(options);
  const handle = await openFor(temporary, place.direct, options);
  if (!place.direct) removeAtExit(temporary);
  const text = bufferedText((bytes) => writeAll(handle, bytes));
  let done = false;
  return {
    write: (data) => explained(text.write(data), options),
    async commit() {
      // What the command reads may have become known only since.
      if (options.overwrite) await settleOutput(path, options);
      await explained(text.flush(), options);
      if (!place.direct) await handle.sync();
      await handle.close();
      done = true;
      if (place.direct) return;
      if (place.mode !== undefined) await chmod(temporary, place.mode);
      await moveInto(temporary, place.path, options);
      keep(temporary);
      await syncFolder(dirname(place.path));
    },
    async abort() {
      if (done) return;
      done = true;
      await handle.close();
      if (place.direct) return;
      await rm(temporary, { force: true });
      keep(temporary);
      releaseOutput(place.path);
    },
  };
}

function sameOutput(options: FileTargetOptions): Failure {
  return new Failure(EXIT.usage, 'cli/same-output', 'is named twice: two outputs cannot be one file', {
    source: options.shown,
  });
}

async function openFor(path: string, direct: boolean, options: FileTargetOptions): Promise<FileHandle> {
  try {
    return await open(path, direct ? 'w' : 'wx', 0o666);
  } catch (error) {
    throw cannotWrite(options, error);
  }
}

async function explained(work: Promise<void>, options: FileTargetOptions): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw systemCode(error) === undefined ? error : cannotWrite(options, error);
  }
}

async function moveInto(temporary: string, path: string, options: FileTargetOptions): Promise<void> {
  if (options.overwrite) return await rename(temporary, path);
  try {
    await link(temporary, path); // unlike rename, link never replaces
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw outputExists(options);
    // A file system without hard links: the check and the rename are two steps there.
    await refuseExisting(path, options);
    return await rename(temporary, path);
  }
  await rm(temporary, { force: true });
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch {
    // Some file systems refuse to sync a folder; the file itself is safe.
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}
