import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a walk met: a file to read, or a folder that could not be listed. */
export type Walked =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'skipped' }
  | { readonly type: 'unreadable'; readonly path: string; readonly error: unknown };

/**
 * Every file under a folder whose name ends in one of `extensions`, in code-unit order of the paths.
 * Hidden entries and `node_modules` are passed over; links to files count as files, links to folders are not followed (they can form loops).
 */
export async function* walkFolder(folder: string, extensions: readonly string[]): AsyncGenerator<Walked> {
  const stack: string[] = [folder];
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    if (path !== folder && !path.endsWith('/')) {
      if (extensions.some((extension) => path?.toLowerCase().endsWith(extension)))
        yield { type: 'file', path };
      else yield { type: 'skipped' };
      continue;
    }
    try {
      for (const entry of (await sortedEntries(path)).reverse()) stack.push(entry);
    } catch (error) {
      yield { type: 'unreadable', path: path === folder ? path : path.slice(0, -1), error };
    }
  }
}

// Folders come back with a slash at the end, so that one stack holds both and the order is that of whole paths.
async function sortedEntries(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(`${path}/`);
    else if (entry.isFile()) found.push(path);
    else if (entry.isSymbolicLink() && (await isFile(path))) found.push(path);
  }
  return found.sort();
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
