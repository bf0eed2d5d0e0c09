import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All files under a folder, as paths relative to it with slashes, without what tools leave there. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)(node_modules|dist|\.turbo)(\/|$)/.test(path))
    .sort();
}
