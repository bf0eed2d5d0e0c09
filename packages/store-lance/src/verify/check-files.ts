import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreContext } from '../context.ts';
import { TABLE_NAMES } from '../layout.ts';
import { damagedVersion, tableVersions } from '../maintain/manifests.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StoreDamage } from './readable-spans.ts';

/** Every file of Lance ends with it. */
const MAGIC = 'LANC';

/** Data files of a local store that end too early, or do not end as files of Lance do: what Lance says about them names none. */
export async function brokenFiles(context: StoreContext): Promise<StoreDamage[]> {
  const { folder } = context.location;
  const found: StoreDamage[] = [];
  if (folder === undefined) return found;
  for (const table of TABLE_NAMES) {
    const names = await readdir(join(folder, `${table}.lance`, 'data')).catch(() => []);
    for (const name of names.filter((file) => file.endsWith('.lance')).sort()) {
      const ending = await endOf(join(folder, `${table}.lance`, 'data', name)).catch(() => undefined);
      if (ending !== undefined && ending !== MAGIC)
        found.push({
          table,
          message: `the file ${table}.lance/data/${name} is cut short or was overwritten`,
          file: `${table}.lance/data/${name}`,
        });
    }
  }
  return found;
}

async function endOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Tables of a local store whose newest version was a newer one than is there now: the commit is lost, with all that it brought. */
export async function lostVersions(context: StoreContext, { versions }: Snapshot): Promise<StoreDamage[]> {
  const { folder } = context.location;
  const found: StoreDamage[] = [];
  if (folder === undefined) return found;
  for (const table of TABLE_NAMES) {
    const hinted = await hintOf(join(folder, `${table}.lance`, '_versions', 'latest_version_hint.json'));
    if (hinted === undefined || hinted <= versions[table]) continue;
    // Somebody may have committed since the snapshot was taken.
    await context.tables[table].checkoutLatest();
    const newest = await context.tables[table].version();
    if (hinted > newest) {
      const message = `version ${hinted} was committed, and ${newest} is the newest that is there: the manifest of a later one is missing from ${table}.lance/_versions, and what it brought is lost`;
      found.push({ table, message });
    }
  }
  return found;
}

/** The version that Lance noted when it committed; it is only a hint, and may be missing or behind. */
async function hintOf(path: string): Promise<number | undefined> {
  try {
    const hint: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof hint !== 'object' || hint === null || !('version' in hint)) return undefined;
    return typeof hint.version === 'number' ? hint.version : undefined;
  } catch {
    return undefined;
  }
}

/** Versions of the past whose manifests cannot be read. */
export async function damagedVersions(context: StoreContext): Promise<StoreDamage[]> {
  const found: StoreDamage[] = [];
  for (const table of TABLE_NAMES) {
    for (const { version, damaged } of await tableVersions(context, table))
      if (damaged !== undefined) found.push({ table, message: damagedVersion(table, version, damaged) });
  }
  return found;
}
