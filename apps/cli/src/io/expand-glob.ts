import { resolve } from 'node:path';
import type { Failure } from '../failure.ts';
import { addFound, type FoundFile } from './found-file.ts';

/** Adds the files that a pattern matches, sorted; false when the argument is no pattern or none matches. */
export async function expandGlob(
  argument: string,
  cwd: string,
  found: FoundFile[],
  failures: Failure[],
): Promise<boolean> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(argument)) return false;
  const paths = await glob(argument, { cwd: cwd, onlyFiles: true, expandDirectories: false });
  const root = resolve(cwd, fixedPart(argument));
  for (const shown of paths.sort()) {
    await addFound({ shown, path: resolve(cwd, shown), root, walked: false }, found, failures);
  }
  return paths.length > 0;
}

// The folders of a pattern before the first one that has a wildcard.
function fixedPart(pattern: string): string {
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}()!+@]/.test(segment));
  return segments.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}
