import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';

// The folder of the store that the command makes, which may not be there yet.
const made = new Set<string>();
// Folders that were looked at: an export into a folder asks for the same ones again and again.
const known = new Map<string, boolean>();

/** Remembers where the command will make a store: no output may go there, even before it is there. */
export function keepStoreFolder(uri: string): void {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(uri)) made.add(realPlace(uri));
}

/** Refuses an output inside of a store, the one that the command reads or any other: its files are not to be replaced, and no others belong there. */
export function refuseInStore(path: string, shown: string): void {
  for (let folder = realPlace(path); ; folder = dirname(folder)) {
    if (isStore(folder)) {
      throw new Failure(
        EXIT.usage,
        'cli/output-in-store',
        'lies in the folder of a store; nothing was written',
        {
          source: shown,
          hint: 'choose a place outside of it',
        },
      );
    }
    if (dirname(folder) === folder) return;
  }
}

function isStore(folder: string): boolean {
  if (made.has(folder)) return true;
  let found = known.get(folder);
  if (found === undefined) {
    // Without any one of its tables it is damaged, and still a store.
    found = ['runs', 'steps', 'tool_calls'].some((name) =>
      existsSync(join(folder, `${name}.lance`, '_versions')),
    );
    known.set(folder, found);
  }
  return found;
}

/** The path without links, as far as it exists. */
function realPlace(path: string): string {
  const rest: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      return join(realpathSync(folder), ...rest);
    } catch {
      if (dirname(folder) === folder) return resolve(path);
      rest.unshift(basename(folder));
    }
  }
}
