import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure, systemCode, systemReason } from '../failure.ts';
import { refuseInStore } from './store-folder.ts';
import { isInput } from './taken-files.ts';

/** How an output file is made. */
export interface FileTargetOptions {
  readonly overwrite: boolean;
  /** The path as the user knows it, for messages. */
  readonly shown: string;
}

/** Refuses a path that exists already, or that the command reads, before any work is done. */
export async function refuseExisting(path: string, options: FileTargetOptions): Promise<void> {
  await settleOutput(path, options);
}

/** Where an output will be: its real path, its mode where it replaces a file, and whether it is a device or pipe that is written directly. */
export interface OutputPlace {
  readonly path: string;
  readonly direct: boolean;
  readonly mode?: number;
}

/**
 * Finds the place of an output. Throws a Failure for a folder, for a file that the command reads or that is part of a store, and, without
 * `overwrite`, for one that exists.
 */
export async function settleOutput(path: string, options: FileTargetOptions): Promise<OutputPlace> {
  let status: Awaited<ReturnType<typeof stat>>;
  try {
    status = await stat(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw cannotWrite(options, error);
    const dangling = await lstat(path).then(
      () => true,
      () => false,
    );
    if (dangling && !options.overwrite) throw outputExists(options);
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
  if (!options.overwrite) throw outputExists(options);
  return { path: await realpath(path), direct: false, mode: status.mode & 0o777 };
}

/** The failure for an output that exists already. */
export function outputExists(options: FileTargetOptions): Failure {
  return new Failure(EXIT.usage, 'cli/output-exists', 'exists already and was left as it is', {
    source: options.shown,
    hint: 'choose another name, or replace it with --overwrite',
  });
}

/** The failure for an output that the system refuses. */
export function cannotWrite(options: FileTargetOptions, error: unknown): Failure {
  return new Failure(EXIT.usage, 'cli/cannot-write', `cannot be written: ${systemReason(error)}`, {
    source: options.shown,
  });
}
