import type * as LanceDb from '@lancedb/lancedb';
import { guarded, type StoreContext } from '../context.ts';
import { TABLE_NAMES } from '../layout.ts';
import { pin, type Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';

/** One version of the store: one commit of `runs`. */
export interface StoreVersion {
  readonly version: number;
  readonly time: Date;
  readonly tags: readonly string[];
}

/** A moment in a store's past: a version number, a tag, or a time. */
export type Moment = { readonly version: number } | { readonly tag: string } | { readonly time: Date };

/** The versions that are kept, oldest first. */
export async function listVersions(context: StoreContext): Promise<StoreVersion[]> {
  return await guarded(context, `read the store ${context.location.shown}`, async () => {
    const { runs } = context.tables;
    await runs.checkoutLatest();
    const tags = await tagsOf(runs);
    const versions = await runs.listVersions();
    return versions.map(({ version, timestamp }) => ({
      version,
      time: timestamp,
      tags: [...tags]
        .filter(([, tagged]) => tagged === version)
        .map(([name]) => name)
        .sort(),
    }));
  });
}

/** The tags of a table with their versions. */
export async function tagsOf(table: LanceDb.Table): Promise<ReadonlyMap<string, number>> {
  const tags = await table.tags();
  const found = new Map<string, number>();
  for (const name of Object.keys(await tags.list())) found.set(name, await tags.getVersion(name));
  return found;
}

/** Gives the present state a name under which it stays readable until the tag is removed. */
export async function tagVersion(context: StoreContext, snapshot: Snapshot, name: string): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new StoreError(
      'store/bad-tag',
      `"${name}" cannot be a tag: letters, digits, ".", "_" and "-" make one, beginning with a letter or digit`,
    );
  }
  // `--as-of 5` is a version, `2026-08-01` a day, `3d` three days ago: a tag of that name would hide it.
  if (/^\d+[a-z]?$|^\d{4}-\d{2}/i.test(name)) {
    throw new StoreError(
      'store/bad-tag',
      `"${name}" cannot be a tag: it would be taken for a version, a time or a span of time; "v${name}" can`,
    );
  }
  if ((await tagsOf(context.tables.runs)).has(name))
    throw new StoreError('store/bad-tag', `there is a tag "${name}" already`);
  // The tag of `runs` comes last: it is the one that counts.
  for (const table of TABLE_NAMES) {
    await guarded(context, `tag the store ${context.location.shown}`, async () => {
      const tags = await context.tables[table].tags();
      // What a process that was killed half-way has left.
      if ((await tagsOf(context.tables[table])).has(name)) await tags.update(name, snapshot.versions[table]);
      else await tags.create(name, snapshot.versions[table]);
    });
  }
}

/** Removes a tag. */
export async function untagVersion(context: StoreContext, name: string): Promise<void> {
  if (!(await tagsOf(context.tables.runs)).has(name))
    throw new StoreError('store/unknown-version', `there is no tag "${name}"`);
  for (const table of [...TABLE_NAMES].reverse()) {
    await guarded(context, `remove a tag of the store ${context.location.shown}`, async () => {
      if ((await tagsOf(context.tables[table])).has(name))
        await (await context.tables[table].tags()).delete(name);
    });
  }
}

/**
 * Pins a moment of the past: `runs` as it was; steps and calls as the tag has them, else as they are now, which hold all that any kept
 * version of `runs` names.
 */
export async function pinMoment(context: StoreContext, now: Snapshot, moment: Moment): Promise<Snapshot> {
  const versions = { ...now.versions };
  if ('tag' in moment) {
    for (const table of TABLE_NAMES) {
      const version = (await tagsOf(context.tables[table])).get(moment.tag);
      if (version === undefined)
        throw new StoreError('store/unknown-version', `there is no tag "${moment.tag}"`);
      versions[table] = version;
    }
  } else versions.runs = await runsVersion(context, moment);
  return await guarded(context, `read the store ${context.location.shown}`, () => pin(context, versions));
}

async function runsVersion(
  context: StoreContext,
  moment: Exclude<Moment, { readonly tag: string }>,
): Promise<number> {
  const versions = await listVersions(context);
  const oldest = versions[0];
  const found =
    'version' in moment
      ? versions.find(({ version }) => version === moment.version)
      : versions.findLast(({ time }) => time <= moment.time);
  if (found !== undefined) return found.version;
  const asked =
    'version' in moment ? `version ${moment.version}` : `the state of ${moment.time.toISOString()}`;
  const newest = versions.at(-1);
  const kept =
    oldest === undefined || newest === undefined
      ? ''
      : `; versions ${oldest.version} (${oldest.time.toISOString()}) to ${newest.version} are kept`;
  throw new StoreError('store/unknown-version', `${asked} is not kept, or never was${kept}`);
}

/** The oldest moment that a tag keeps in a table, if any. */
export async function oldestTagged(table: LanceDb.Table): Promise<Date | undefined> {
  const tagged = new Set((await tagsOf(table)).values());
  if (tagged.size === 0) return undefined;
  return (await table.listVersions()).find(({ version }) => tagged.has(version))?.timestamp;
}
