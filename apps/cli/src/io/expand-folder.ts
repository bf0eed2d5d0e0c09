import { join } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { countOf } from '../terminal/numbers.ts';
import { addFound, type FoundFile, unreadable } from './found-file.ts';
import { walkFolder } from './walk.ts';

/** Adds the files under a folder whose endings are read; a folder without any is a failure, and so is what cannot be read in it. */
export async function expandFolder(
  shown: string,
  folder: string,
  extensions: readonly string[],
  found: FoundFile[],
  failures: Failure[],
): Promise<void> {
  let files = 0;
  let others = 0;
  let broken = 0;
  for await (const entry of walkFolder(folder, extensions)) {
    if (entry.type === 'skipped') others += 1;
    else if (entry.type === 'unreadable') {
      broken += 1;
      failures.push(unreadable(shownUnder(shown, folder, entry.path), entry.error));
    } else {
      files += 1;
      const file = { shown: shownUnder(shown, folder, entry.path), path: entry.path };
      await addFound({ ...file, root: folder, walked: true }, found, failures);
    }
  }
  if (files > 0 || broken > 0) return;
  const message =
    others === 0
      ? 'the folder holds no files'
      : `the folder holds no file with an ending that is read (${countOf(others, 'other file')})`;
  failures.push(
    new Failure(EXIT.input, 'cli/empty-folder', message, {
      source: shown,
      hint: `endings: ${extensions.join(' ')}`,
    }),
  );
}

function shownUnder(shown: string, folder: string, path: string): string {
  return shown === '.' ? path.slice(folder.length + 1) : join(shown, path.slice(folder.length));
}
