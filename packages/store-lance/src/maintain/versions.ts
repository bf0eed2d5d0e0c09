import { guarded, type StoreContext } from '../context.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { pin, type Snapshot } from '../snapshot.ts';
import { StoreError } from '../store-error.ts';
import { damagedVersion, tableVersions } from './manifests.ts';
import { brokenTagError, readTags, removeTag, versionOf, writeTag } from './tags.ts';

/** One version of the store: one commit of `runs`. */
export interface StoreVersion {
  readonly version: number;
  readonly time: Date;
  readonly tags: readonly string[];
  /** Its manifest, a path in the store, if that cannot be read: nothing can be read as of this version. */
  readonly damaged?: string;
}

/** A moment in a store's past: a version number, a tag, or a time. */
export type Moment = { readonly version: number } | { readonly tag: string } | { readonly time: Date };

/** The versions that are kept, oldest first. */
export async function listVersions(context: StoreContext): Promise<StoreVersion[]> {
  return await guarded(context, `read the store ${context.location.shown}`, async () => {
    const { runs } = context.tables;
    await runs.checkoutLatest();
    const tags = (await readTags(context, 'runs')).versions;
    return (await tableVersions(context, 'runs')).map(({ version, ...more }) => ({
      version,
      ...more,
      tags: [...tags]
        .filter(([, tagged]) => tagged === version)
        .map(([name]) => name)
        .sort(),
    }));
  });
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
  await guarded(context, `tag the store ${context.location.shown}`, async () => {
    if (typeof (await versionOf(context, 'runs', name)) === 'number')
      throw new StoreError('store/bad-tag', `there is a tag "${name}" already`);
    try {
      // The tag of `runs` comes last: it is the one that counts.
      for (const table of TABLE_NAMES) await writeTag(context, table, name, snapshot.versions[table]);
    } catch (cause) {
      // Half a tag would hold versions for nobody. The failure is what is told, whether this works or not.
      for (const table of TABLE_NAMES) await removeTag(context, table, name).catch(() => undefined);
      throw cause;
    }
  });
}

/** Removes a tag, a broken one too, and what is left of one. */
export async function untagVersion(context: StoreContext, name: string): Promise<void> {
  await guarded(context, `remove a tag of the store ${context.location.shown}`, async () => {
    const found = await Promise.all(TABLE_NAMES.map((table) => versionOf(context, table, name)));
    if (found.every((version) => version === undefined))
      throw new StoreError('store/unknown-version', `there is no tag "${name}"`);
    for (const table of [...TABLE_NAMES].reverse()) await removeTag(context, table, name);
  });
}

/**
 * Pins a moment of the past: `runs` as it was; steps and calls as the tag has them, else as they are now, which hold all that any kept
 * version of `runs` names.
 */
export async function pinMoment(context: StoreContext, now: Snapshot, moment: Moment): Promise<Snapshot> {
  const versions = { ...now.versions };
  if ('tag' in moment) {
    for (const table of TABLE_NAMES) {
      const version = await guarded(context, `read the store ${context.location.shown}`, () =>
        versionOf(context, table, moment.tag),
      );
      if (version === 'broken') throw brokenTagError(context, table, moment.tag);
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
  if (found?.damaged !== undefined)
    throw new StoreError('store/damaged', damagedVersion('runs', found.version, found.damaged));
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

/** The oldest moment that a tag keeps in a table, if any. Throws `store/damaged` for a broken tag: nobody knows what it keeps, and Lance cleans up nothing then. */
export async function oldestTagged(context: StoreContext, name: TableName): Promise<Date | undefined> {
  const { versions, broken } = await readTags(context, name);
  const [first] = broken;
  if (first !== undefined) throw brokenTagError(context, name, first);
  const tagged = new Set(versions.values());
  if (tagged.size === 0) return undefined;
  return (await tableVersions(context, name)).find(({ version }) => tagged.has(version))?.time;
}
