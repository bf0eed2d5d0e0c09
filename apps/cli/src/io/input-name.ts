import { isAbsolute, relative, sep } from 'node:path';

/** A path with forward slashes, as names in documents are written on every system. */
export function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/**
 * The name of an input inside documents: its path relative to `base`, never absolute and without `..`.
 * What lies outside the base counts from `root`, its own folder (decisions, "Detection and CLI"). All three are absolute paths.
 */
export function inputName(path: string, base: string, root: string): string {
  const fromBase = relative(base, path);
  return slashes(isOutside(fromBase) ? relative(root, path) : fromBase);
}

/** Names that several inputs would share get as many of their parent folders in front as it takes to tell them apart. */
export function distinctNames(
  inputs: readonly { readonly name: string; readonly path: string }[],
): readonly string[] {
  const names = inputs.map((input) => input.name);
  for (let round = 0; round < 64; round += 1) {
    const seen = new Map<string, number[]>();
    names.forEach((name, index) => {
      seen.set(name, [...(seen.get(name) ?? []), index]);
    });
    const shared = [...seen.values()].filter((indices) => indices.length > 1).flat();
    if (shared.length === 0) break;
    let changed = false;
    for (const index of shared) {
      const longer = withParent(names[index] ?? '', inputs[index]?.path ?? '');
      changed ||= longer !== names[index];
      names[index] = longer;
    }
    if (!changed) break;
  }
  return names;
}

function isOutside(fromBase: string): boolean {
  return fromBase === '' || fromBase === '..' || fromBase.startsWith(`..${sep}`) || isAbsolute(fromBase);
}

function withParent(name: string, path: string): string {
  const segments = slashes(path)
    .split('/')
    .filter((segment) => segment !== '' && !segment.endsWith(':'));
  const count = name.split('/').length;
  return segments.length > count ? segments.slice(-count - 1).join('/') : name;
}
