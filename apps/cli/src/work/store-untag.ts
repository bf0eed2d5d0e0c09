import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { withStore } from '../store/open.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Lets go of a tag. */
export async function storeUntag(name: string, options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    await store.untag(name);
    if (options.json === true) {
      const object = { store: store.uri, untagged: name };
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(object))}\n`);
    }
    context.notes.say(`${safeLine(name)} no longer keeps its version`);
  });
}
