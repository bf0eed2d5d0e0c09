import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn } from './files-in.ts';

/** The repository's root folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the tests read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly sideEffects?: boolean;
  readonly scripts?: { readonly [name: string]: string };
  readonly exports?: { readonly [subpath: string]: string | { readonly [condition: string]: string } };
  readonly files?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
}

/** One package of the workspace. */
export interface Package {
  readonly name: string;
  /** Folder name: `format-actf`. */
  readonly short: string;
  /** Folder, relative to the root, with slashes: `packages/format-actf`. */
  readonly path: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All packages of `packages/` and `apps/`, and the template that new ones are made from: it keeps the same rules. */
export const packages: readonly Package[] = ['packages', 'apps', 'templates'].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((short) => existsSync(join(root, group, short, 'package.json')))
    .map((short) => {
      const folder = join(root, group, short);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      return { name: manifest.name, short, path: `${group}/${short}`, folder, manifest };
    }),
);

/** The packages that others build on: everything but the apps. */
export const libraries = packages.filter((one) => !one.path.startsWith('apps/'));

/** All files under a folder, as paths relative to the root with slashes; `node_modules` and `dist` are left out. */
export function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const base = relative(root, folder).split(sep).join('/');
  return filesIn(folder).map((path) => (base === '' ? path : `${base}/${path}`));
}

/** The TypeScript sources of a package. */
export function sourcesOf(one: Package): readonly string[] {
  return filesUnder(join(one.folder, 'src')).filter((path) => path.endsWith('.ts'));
}

/** Text of a file named relative to the root. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The files that git tracks, and that are there. */
export function committedFiles(): readonly string[] {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(listed.stderr);
  return listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Whether a package holds more than the place it will have: rules about its documents and decisions wait until it does. */
export function started(one: Package): boolean {
  return sourcesOf(one).length > 1;
}
