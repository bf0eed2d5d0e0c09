import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openFile } from '@pchronicle/storyline-core/node';
import type { CompareOptions } from '../commands/compare-options.ts';
import type { Context } from '../context.ts';
import { type Subject, splitArgument, subjectId } from './read-side.ts';

/** Files up to this size are read whole: the short way is worth it for long runs only. */
const SMALL = 4 * 1024 * 1024;
const SNIFFED = 64 * 1024;

/** Options the short way looks at. */
export interface TailOptions extends CompareOptions {
  /** Equal turns that will be shown before a difference. */
  readonly context?: number;
}

/**
 * The two sides of a comparison of long Forkline runs without their equal beginning, which is neither parsed twice nor held.
 * `undefined` where there is no such short way (other formats, small files, ids and times compared too): then both are read whole.
 */
export async function readTails(
  leftName: string,
  rightName: string,
  options: TailOptions,
  context: Context,
): Promise<readonly [Subject, Subject] | undefined> {
  const named = options.format ?? options.from;
  if (!options.ignoreDefaults || options.compat === true || (named !== undefined && named !== 'forkline'))
    return undefined;
  const [left, right] = [splitArgument(leftName, context), splitArgument(rightName, context)];
  if (left.path === undefined || right.path === undefined || left.path === '-' || right.path === '-')
    return undefined;
  const [leftPath, rightPath] = [resolve(context.cwd, left.path), resolve(context.cwd, right.path)];
  const kinds = [await kindOf(leftPath), await kindOf(rightPath)];
  const keep = { context: Math.max(5, options.context ?? 0) };
  if (kinds.every((kind) => kind === 'artifact') && left.pick === undefined && right.pick === undefined) {
    return await artifactTails(leftPath, rightPath, [left.path, right.path], keep);
  }
  if (kinds.every((kind) => kind === 'database') && left.pick !== undefined && right.pick !== undefined) {
    return await databaseTails(leftPath, rightPath, [left.path, right.path], [left.pick, right.pick], keep);
  }
  return undefined;
}

/** A guess from the first bytes; the code that reads the file decides. */
async function kindOf(path: string): Promise<'artifact' | 'database' | 'other'> {
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size <= SMALL) return 'other';
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(SNIFFED);
      const { bytesRead } = await handle.read(bytes, 0, SNIFFED, 0);
      const text = bytes.toString('latin1', 0, bytesRead);
      if (text.startsWith('SQLite format 3\0')) return 'database';
      return /"(forkline_version|entrypoint|run_id)"/.test(text) ? 'artifact' : 'other';
    } finally {
      await handle.close();
    }
  } catch {
    return 'other'; // whoever reads it whole says what is wrong
  }
}

async function artifactTails(
  leftPath: string,
  rightPath: string,
  shown: readonly [string, string],
  keep: { readonly context: number },
): Promise<readonly [Subject, Subject] | undefined> {
  const forkline = await import('@pchronicle/format-forkline/artifact');
  const left = await openFile(leftPath, shown[0]);
  try {
    const right = await openFile(rightPath, shown[1]);
    try {
      return subjects(await forkline.artifactTails(left, right, keep), shown);
    } finally {
      await right.close();
    }
  } finally {
    await left.close();
  }
}

async function databaseTails(
  leftPath: string,
  rightPath: string,
  shown: readonly [string, string],
  picks: readonly [string, string],
  keep: { readonly context: number },
): Promise<readonly [Subject, Subject] | undefined> {
  const { openForklineDatabase } = await import('@pchronicle/format-forkline/sqlite');
  const leftFile = await openFile(leftPath, shown[0]);
  const rightFile = leftPath === rightPath ? leftFile : await openFile(rightPath, shown[1]);
  try {
    const database = await openForklineDatabase(leftFile);
    try {
      const other = rightFile === leftFile ? database : await openForklineDatabase(rightFile);
      try {
        const left = database.run(picks[0]);
        const right = other.run(picks[1]);
        if (left === undefined || right === undefined) return undefined;
        return subjects(database.tails(left, right, { ...keep, otherDatabase: other }), shown);
      } finally {
        if (other !== database) await other.close();
      }
    } finally {
      await database.close();
    }
  } finally {
    if (rightFile !== leftFile) await rightFile.close();
    await leftFile.close();
  }
}

function subjects(
  tails:
    | { readonly skipped: number; readonly left: Subject['storyline']; readonly right: Subject['storyline'] }
    | undefined,
  shown: readonly [string, string],
): readonly [Subject, Subject] | undefined {
  if (tails === undefined) return undefined;
  const { skipped, left, right } = tails;
  return [
    { id: subjectId(left), from: shown[0], storyline: left, skipped },
    { id: subjectId(right), from: shown[1], storyline: right, skipped },
  ];
}
