import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreContext } from '../context.ts';
import { explainFailure } from '../lance/explain-failure.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { StoreError } from '../store-error.ts';

/** One version of a table. */
export interface TableVersion {
  readonly version: number;
  /** When it was committed; where a version beside it is damaged, when its manifest was last written. */
  readonly time: Date;
  /** Its manifest, if that cannot be read: path in the store. */
  readonly damaged?: string;
}

/** The versions of a table, oldest first; those whose manifests cannot be read too, if the store is a local one (Lance lists all or none). */
export async function tableVersions(context: StoreContext, name: TableName): Promise<TableVersion[]> {
  try {
    const versions = await context.tables[name].listVersions();
    return versions.map(({ version, timestamp }) => ({ version, time: timestamp }));
  } catch (cause) {
    if (explainFailure(cause, '').code !== 'store/damaged' || context.location.folder === undefined)
      throw cause;
    return await fromFiles(context, name, context.location.folder);
  }
}

async function fromFiles(context: StoreContext, name: TableName, folder: string): Promise<TableVersion[]> {
  const found: TableVersion[] = [];
  for (const file of await readdir(join(folder, `${name}.lance`, '_versions'))) {
    const version = versionOf(file);
    if (version === undefined) continue;
    const path = `${name}.lance/_versions/${file}`;
    const time = await stat(join(folder, path)).then(
      ({ mtime }) => mtime,
      () => undefined,
    );
    // Another process may be cleaning up.
    if (time === undefined) continue;
    found.push({ version, time, ...((await isReadable(context, name, version)) ? {} : { damaged: path }) });
  }
  return found.sort((left, right) => left.version - right.version);
}

/** Lance names manifests by the distance from the greatest number of 64 bits, in 20 digits; by their version in older tables. */
function versionOf(file: string): number | undefined {
  const digits = /^(\d{1,20})\.manifest$/.exec(file)?.[1];
  if (digits === undefined) return undefined;
  return Number(digits.length === 20 ? 0xffff_ffff_ffff_ffffn - BigInt(digits) : BigInt(digits));
}

async function isReadable(context: StoreContext, name: TableName, version: number): Promise<boolean> {
  try {
    (await context.connection.openTable(name, undefined, { version })).close();
    return true;
  } catch (cause) {
    if (explainFailure(cause, '').code !== 'store/damaged') throw cause;
    return false;
  }
}

/** What is said of a version whose manifest cannot be read. */
export function damagedVersion(name: TableName, version: number, path: string): string {
  return `version ${version} of the table ${name} is damaged (${path} cannot be read)`;
}

/** Throws an error that names the manifests that cannot be read, if there are any: Lance compacts and cleans up nothing beside one. */
export async function assertManifests(context: StoreContext): Promise<void> {
  const found: string[] = [];
  for (const name of TABLE_NAMES) {
    for (const { version, damaged } of await tableVersions(context, name))
      if (damaged !== undefined) found.push(damagedVersion(name, version, damaged));
  }
  if (found.length === 0) return;
  throw new StoreError(
    'store/damaged',
    `cannot maintain the store ${context.location.shown}: ${found.join('; ')}. Put it back from a copy, or remove that file: only what was as of that version is lost`,
  );
}
