import { randomBytes } from 'node:crypto';
import { chmod, type FileHandle, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure, systemCode, systemReason } from '../failure.ts';
import { refuseInStore } from './store-folder.ts';
import { isInput, releaseOutput, takeOutput } from './taken-files.ts';
import type { Target } from './target.ts';
import { keep, removeAtExit } from './temporary.ts';

const FLUSH_AT = 64 * 1024;

/** How an output file is made. */
export interface FileTargetOptions {
  readonly overwrite: boolean;
  /** The path as the user knows it, for messages. */
  readonly shown: string;
}

/**
 * A file that appears whole or not at all: written beside its place under a temporary name, synced, then renamed.
 * Without `overwrite` an existing file is never replaced, not even one that appears meanwhile, and a file that the command reads never is.
 * Devices and pipes are written directly.
 */
export async function fileTarget(path: string, options: FileTargetOptions): Promise<Target> {
  const place = await settle(path, options);
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
      if (options.overwrite) await settle(path, options);
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

/** Refuses a path that exists already, or that the command reads, before any work is done. */
export async function refuseExisting(path: string, options: FileTargetOptions): Promise<void> {
  await settle(path, options);
}

interface Settled {
  readonly path: string;
  readonly direct: boolean;
  readonly mode?: number;
}

async function settle(path: string, options: FileTargetOptions): Promise<Settled> {
  let status: Awaited<ReturnType<typeof stat>>;
  try {
    status = await stat(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw cannotWrite(options, error);
    const dangling = await lstat(path).then(
      () => true,
      () => false,
    );
    if (dangling && !options.overwrite) throw exists(options);
    refuseInStore(dangling ? dirname(path) : path, options.shown);
    return { path, direct: false };
  }
  if (status.isDirectory()) {
    throw new Failure(EXIT.usage, 'cli/output-is-folder', 'is a folder, a file is needed here', {
      source: options.shown,
    });
  }
  if (!status.isFile()) return { path, direct: true };
  refuseInStore(path, options.shown);
  if (isInput(status)) {
    throw new Failure(
      EXIT.usage,
      'cli/output-is-input',
      'is an input of this command and was left as it is',
      {
        source: options.shown,
        hint: 'choose another name',
      },
    );
  }
  if (!options.overwrite) throw exists(options);
  return { path: await realpath(path), direct: false, mode: status.mode & 0o777 };
}

function sameOutput(options: FileTargetOptions): Failure {
  return new Failure(EXIT.usage, 'cli/same-output', 'is named twice: two outputs cannot be one file', {
    source: options.shown,
  });
}

function exists(options: FileTargetOptions): Failure {
  return new Failure(EXIT.usage, 'cli/output-exists', 'exists already and was left as it is', {
    source: options.shown,
    hint: 'choose another name, or replace it with --overwrite',
  });
}

function cannotWrite(options: FileTargetOptions, error: unknown): Failure {
  return new Failure(EXIT.usage, 'cli/cannot-write', `cannot be written: ${systemReason(error)}`, {
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
    if (systemCode(error) === 'EEXIST') throw exists(options);
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

/** Gathers small pieces of text into writes of 64 kB; a surrogate pair split between two pieces stays one character. */
export function bufferedText(put: (bytes: Uint8Array) => Promise<void>): {
  write(data: string | Uint8Array): Promise<void>;
  flush(): Promise<void>;
} {
  let held = '';
  const flush = async (all: boolean): Promise<void> => {
    const last = held.charCodeAt(held.length - 1);
    const open = !all && last >= 0xd800 && last <= 0xdbff;
    const ready = open ? held.slice(0, -1) : held;
    held = open ? held.slice(-1) : '';
    if (ready !== '') await put(Buffer.from(ready, 'utf8'));
  };
  return {
    async write(data) {
      if (typeof data === 'string') {
        held += data;
        if (held.length >= FLUSH_AT) await flush(false);
        return;
      }
      await flush(true);
      await put(data);
    },
    flush: () => flush(true),
  };
}
