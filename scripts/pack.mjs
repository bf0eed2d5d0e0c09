// Packs every publishable package, as the registry would get it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/** The packages that are published: name, folder and manifest of each. */
export function publishable() {
  const found = [];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group))) {
      const folder = join(root, group, name);
      let manifest;
      try {
        manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      } catch {
        continue;
      }
      if (manifest.private !== true) found.push({ name: manifest.name, folder, manifest });
    }
  }
  return found;
}

/** Packs one package into `target`; returns the path of the tarball. Its dist/ must be built. */
export function pack(folder, target) {
  mkdirSync(target, { recursive: true });
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' };
  const result = spawnSync('pnpm', ['pack', '--json', '--pack-destination', target], options);
  if (result.status !== 0)
    throw new Error(`pnpm pack in ${folder} failed:\n${result.stdout}${result.stderr}`);
  const { filename } = JSON.parse(result.stdout);
  return join(target, filename.replace(/^.*[\\/]/, ''));
}
