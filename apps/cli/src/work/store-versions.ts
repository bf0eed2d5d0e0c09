import type { StoreVersion } from '@pchronicle/store-lance';
import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { withStore } from '../store/open.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';
import { formatTable } from '../terminal/table.ts';

/** Lists the versions that are kept, oldest first; each can be named with `--as-of`. */
export async function storeVersions(options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    const versions = await store.versions();
    if (options.json === true) {
      const shown = versions.map(({ version, time, tags, damaged }) => ({
        version,
        time: time.toISOString(),
        tags,
        ...(damaged === undefined ? {} : { damaged }),
      }));
      const object = { store: store.uri, versions: shown };
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(object))}\n`);
    }
    const table = formatTable(
      versions,
      [
        { title: 'VERSION', align: 'right', text: ({ version }) => String(version) },
        { title: 'TIME', text: ({ time }) => time.toISOString() },
        { title: 'TAGS', min: 6, text: ({ tags }) => tags.join(', ') || '-' },
        ...(versions.some(({ damaged }) => damaged !== undefined)
          ? [
              {
                title: 'DAMAGED',
                text: ({ damaged = '' }: StoreVersion) =>
                  damaged === '' ? '-' : safeLine(`${damaged} cannot be read`),
              },
            ]
          : []),
      ],
      context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
      context.style,
    );
    await context.stdout.write(`${table}\n`);
    context.notes.say(countOf(versions.length, 'version'));
  });
}
