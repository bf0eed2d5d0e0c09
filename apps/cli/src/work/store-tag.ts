import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { withStore } from '../store/open.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Keeps the present state readable under a name. */
export async function storeTag(name: string, options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    await store.tag(name);
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
