import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { withStore } from '../store/open.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Keeps the present state readable under a name. */
export async function storeTag(name: string, options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    await store.tag(name).catch((error: unknown) => {
      const bad = error instanceof Error && 'code' in error && error.code === 'store/bad-tag';
      throw bad && error.message.includes('cannot be a tag')
        ? usageFailure('store/bad-tag', error.message)
        : error;
    });
    const version = (await store.versions()).find(({ tags }) => tags.includes(name))?.version ?? null;
    if (options.json === true) {
      const object = { store: store.uri, tag: name, version };
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(object))}\n`);
    }
    context.notes.say(
      `version ${version} is kept as ${safeLine(name)}; read it with --as-of ${safeLine(name)}`,
    );
  });
}
