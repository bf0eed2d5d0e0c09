import { constants } from 'node:fs';
import { chmod, copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectIssues, type Issue, type Source } from '@pchronicle/storyline-core';
import { rollBack } from './rollback-journal.ts';
import { applyWal, isInWalMode, leaveWalMode } from './wal.ts';

/** A copy of a database that belongs to us alone (decision F6). */
export interface PrivateCopy {
  readonly path: string;
  /** What was notable about copying; an error among them means that the copy must not be read. */
  readonly issues: readonly Issue[];
  remove(): Promise<void>;
}

const CHUNK = 1024 * 1024;

/**
 * Copies a database with its write-ahead log or hot rollback journal into a temporary folder of its own, and merges the log there.
 * Nothing is written to the user's file or folder, and nothing is locked.
 */
export async function privateCopy(source: Source): Promise<PrivateCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'pchronicle-forkline-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'database');
  const { report, issues, failed } = collectIssues({ source: source.name });
  try {
    if (source.path === undefined) await copyBytes(source, path);
    else
      await copyQuietly(source.path, path, (message) =>
        report('warning', 'forkline/database-changed', '', message),
      );
    const inWalMode = isInWalMode(path);
    if (source.path !== undefined && (await sizeOf(`${source.path}-wal`)) > 0) {
      await copyFor(`${source.path}-wal`, `${path}.log`);
      const outcome = applyWal(`${path}.log`, path);
      if ('fault' in outcome) {
        const message = `the write-ahead log beside the database cannot be applied: ${outcome.fault}; let SQLite merge it (PRAGMA wal_checkpoint) and try again`;
        report('error', 'forkline/wal-unsupported', '', message);
      }
    } else if (inWalMode && source.path === undefined) {
      const message =
        'the database is in WAL mode, and of this source no write-ahead log can be looked for; what only the log holds is missing';
      report('warning', 'forkline/wal-unsupported', '', message);
    }
    if (!failed()) {
      if (inWalMode) leaveWalMode(path);
      else if (source.path !== undefined && (await sizeOf(`${source.path}-journal`)) > 0) {
        await copyFor(`${source.path}-journal`, `${path}.journal`);
        rollBack(`${path}.journal`, path);
      }
    }
    return { path, issues, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function copyBytes(source: Source, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const buffer = new Uint8Array(Math.min(CHUNK, Math.max(1, source.size)));
    for (let position = 0; position < source.size; ) {
      const read = await source.read(buffer, position);
      if (read === 0) break;
      await file.write(buffer, 0, read);
      position += read;
    }
  } finally {
    await file.close();
  }
}

/** Copies a file; when a writer was at work meanwhile, again, and says so when it never was quiet. */
async function copyQuietly(from: string, to: string, warn: (message: string) => void): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await fingerprint(from);
    await copyFor(from, to);
    if ((await fingerprint(from)) === before) return;
  }
  warn('the database was written to while it was copied; the copy may mix two states');
}

/** Copies a file so that we may write to the copy, whatever the rights of the original. */
async function copyFor(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

async function fingerprint(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs} ${await sizeOf(`${path}-wal`)}`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
