import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreContext } from '../context.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import type { TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';

/** The tags of a table. */
export interface TableTags {
  /** The version that each keeps. */
  readonly versions: ReadonlyMap<string, number>;
  /** Names of those whose files cannot be read, as a full disk leaves them. Known of local stores only. */
  readonly broken: readonly string[];
}

/** Reads the tags of a table, one after another where Lance, which reads all or none, meets a broken one. */
export async function readTags(context: StoreContext, name: TableName): Promise<TableTags> {
  const tags = await context.tables[name].tags();
  const versions = new Map<string, number>();
  const broken: string[] = [];
  const names = await tags.list().then(Object.keys, async (cause: unknown) => {
    if (!isDamage(cause)) throw cause;
    const { folder } = context.location;
    if (folder === undefined) {
      throw new StoreError(
        'store/damaged',
        `a tag of the table ${name} of ${context.location.shown} is broken; untag it, or remove its file in ${name}.lance/_refs/tags`,
      );
    }
    const files = await readdir(join(folder, `${name}.lance`, '_refs', 'tags'));
    return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  });
  for (const tag of names.sort()) {
    const version = await versionOf(context, name, tag);
    if (typeof version === 'number') versions.set(tag, version);
    else if (version === 'broken') broken.push(tag);
  }
  return { versions, broken };
}

/** The version that a tag of a table keeps; whether it is broken, or not there. */
export async function versionOf(
  context: StoreContext,
  name: TableName,
  tag: string,
): Promise<number | 'broken' | undefined> {
  try {
    return await (await context.tables[name].tags()).getVersion(tag);
  } catch (cause) {
    if (cause instanceof Error && /ref not found/i.test(cause.message)) return undefined;
    if (!isDamage(cause)) throw cause;
    return 'broken';
  }
}

function isDamage(cause: unknown): boolean {
  return explainFailure(cause, '').code === 'store/damaged';
}

/** Writes a tag of a table, over what a process that was killed, or a full disk, has left of it. */
export async function writeTag(
  context: StoreContext,
  name: TableName,
  tag: string,
  version: number,
): Promise<void> {
  const tags = await context.tables[name].tags();
  const there = await versionOf(context, name, tag);
  if (there === 'broken') await tags.delete(tag);
  if (typeof there === 'number') await tags.update(tag, version);
  else await tags.create(tag, version);
  // On a full disk Lance leaves an empty file, and says nothing.
  if ((await versionOf(context, name, tag)) === version) return;
  if (context.location.folder !== undefined) {
    const probe = join(context.location.folder, `${name}.lance`, '_refs', 'tags', '.tmp-pchronicle');
    try {
      await writeFile(probe, new Uint8Array(64 * 1024));
    } finally {
      await rm(probe, { force: true });
    }
  }
  throw new StoreError(
    'store/lost-write',
    `the tag "${tag}" was written to the table ${name} of ${context.location.shown} without an error, and is not there`,
  );
}

/** Removes a tag of a table, a broken one too, if it is there. */
export async function removeTag(context: StoreContext, name: TableName, tag: string): Promise<void> {
  if ((await versionOf(context, name, tag)) !== undefined)
    await (await context.tables[name].tags()).delete(tag);
}

/** The error of a tag whose file cannot be read. */
export function brokenTagError(context: StoreContext, name: TableName, tag: string): StoreError {
  return new StoreError(
    'store/damaged',
    `the tag "${tag}" of the store ${context.location.shown} is broken (${name}.lance/_refs/tags/${tag}.json cannot be read); untag "${tag}" removes it`,
  );
}
