import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript-5.5';
import { describe, expect, test } from 'vitest';
import { bundleForBrowser } from './support/bundle.ts';
import { freeNames } from './support/free-names.ts';
import { allowedThirdParties, bundleBudget, nodeEntries, usualBundleBudget } from './support/rules.ts';
import { committedFiles, libraries, packages, read, root, sourcesOf } from './support/workspace.ts';

const core = '@pchronicle/storyline-core';

/** What a source file imports, type imports and dynamic imports included. */
function importsOf(path: string): readonly string[] {
  return ts.preProcessFile(read(path), true, true).importedFiles.map((file) => file.fileName);
}

/** `@scope/name/sub` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

describe('who depends on whom', () => {
  test.each(libraries)(
    '$name depends on storyline-core and the third parties its rule names',
    ({ name, manifest }) => {
      const allowed = new Set([...(name === core ? [] : [core]), ...(allowedThirdParties[name] ?? [])]);
      const declared = {
        ...manifest.dependencies,
        ...manifest.peerDependencies,
        ...manifest.optionalDependencies,
      };
      expect(Object.keys(declared).filter((dependency) => !allowed.has(dependency))).toEqual([]);
    },
  );

  test.each(packages)(
    '$name imports only what its package.json declares, and no file of another package',
    (one) => {
      const { manifest, path } = one;
      const declared = new Set([
        ...Object.keys({
          ...manifest.dependencies,
          ...manifest.peerDependencies,
          ...manifest.optionalDependencies,
        }),
      ]);
      const faults: string[] = [];
      for (const source of sourcesOf(one)) {
        for (const specifier of importsOf(source)) {
          if (specifier.startsWith('.')) {
            const target = posix.join(posix.dirname(source), specifier);
            if (!target.startsWith(`${path}/src/`)) faults.push(`${source} reaches ${target}`);
          } else if (!specifier.startsWith('node:') && !declared.has(packageOf(specifier))) {
            faults.push(`${source} imports ${specifier}`);
          }
        }
      }
      expect(faults).toEqual([]);
    },
  );

  test('only apps compose: no format knows another format or a store', () => {
    const faults = libraries.flatMap((one) =>
      sourcesOf(one).flatMap((source) =>
        importsOf(source)
          .filter((specifier) => specifier.startsWith('@pchronicle/') && packageOf(specifier) !== core)
          .map((specifier) => `${source} imports ${specifier}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  test('nothing that runs on installation', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    const faults = packages.flatMap(({ name, manifest }) =>
      hooks.filter((hook) => manifest.scripts?.[hook] !== undefined).map((hook) => `${name} ${hook}`),
    );
    expect(faults).toEqual([]);
  });
});

/** Entry points of a package that a browser may load. */
const browserEntries = libraries.flatMap(({ name, folder, manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((subpath) => !subpath.endsWith('.json') && !(nodeEntries[name] ?? []).includes(subpath))
    .map((subpath) => ({ entry: subpath === '.' ? name : `${name}/${subpath.slice(2)}`, name, folder })),
);

describe('libraries run in a browser', () => {
  test.each(browserEntries)(
    '$entry bundles without Node and names no Node global',
    async ({ entry, name, folder }) => {
      const external = entry.endsWith('/vitest') ? ['vitest'] : [];
      const bundle = await bundleForBrowser(`export * from ${JSON.stringify(entry)};`, folder, external);
      expect(bundle.inputs.length).toBeGreaterThan(0);
      expect(bundle.text).not.toMatch(/["'`]node:/);
      const nodeGlobals = [
        'process',
        'Buffer',
        'require',
        'module',
        'exports',
        'global',
        '__dirname',
        '__filename',
        'setImmediate',
      ];
      const own = bundle.inputs.filter(
        (input) => input.includes('packages/') && !input.includes('node_modules'),
      );
      const faults = own.flatMap((input) =>
        freeNames(read(input))
          .filter((free) => nodeGlobals.includes(free))
          .map((free) => `${input} ${free}`),
      );
      expect(faults).toEqual([]);
      expect(bundle.gzipped).toBeLessThan(bundleBudget[name] ?? usualBundleBudget);
    },
  );

  test.each([
    { name: 'format-actf', functions: 'importActf, exportActf' },
    { name: 'format-openai-msg', functions: 'importOpenaiMessages, exportOpenaiMessages' },
  ])(
    'importing and exporting with $name adds less than 15 kB to the hub, and costs less than 52 kB with it',
    async ({ name, functions }) => {
      const code = `export { ${functions} } from '@pchronicle/${name}';`;
      const folder = join(root, 'packages', name);
      const own = await bundleForBrowser(code, folder, [core]);
      expect(own.text).toMatch(/import(Actf|OpenaiMessages)/);
      expect(own.gzipped).toBeLessThan(15_000);
      const whole = await bundleForBrowser(code, folder);
      expect(whole.gzipped).toBeGreaterThan(own.gzipped);
      expect(whole.gzipped).toBeLessThan(52_000);
    },
  );

  test.each(libraries)('$name is free of side effects and says which Node it needs', ({ manifest }) => {
    expect(manifest.sideEffects).toBe(false);
    expect(manifest.engines?.node).toBe('>=20.12');
  });
});

describe('what is committed', () => {
  const binary = /\.(png|ico|db|sqlite|wasm|lance|gz|zip)$/;
  const files = committedFiles().filter((path) => !binary.test(path));

  test('the lockfile names no registry host', () => {
    const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    expect(lock).toContain('lockfileVersion');
    expect(lock).not.toMatch(/https?:\/\//);
    expect(lock).not.toMatch(/tarball:/);
  });

  test('no file names a folder of the machine it was written on', () => {
    const machine = [
      /\/work\/(main|shared|\.library)/,
      /\/tmp\/[a-z_]+[./]/,
      /\/var\/tmp\/[a-z]/,
      /\/root\//,
    ];
    const faults = files
      .filter((path) => !path.includes('/fixtures/') && path !== 'test/boundaries.test.ts')
      .flatMap((path) => {
        const text = read(path);
        return machine
          .filter((pattern) => pattern.test(text))
          .map((pattern) => `${path}: ${pattern.exec(text)?.[0]}`);
      });
    expect(faults).toEqual([]);
  });

  test('no file holds a key or a token', () => {
    const secrets = [
      /-----BEGIN [A-Z ]*PRIVATE KEY/,
      /\bgh[pousr]_[A-Za-z0-9]{30,}/,
      /\bnpm_[A-Za-z0-9]{30,}/,
      /\bAKIA[0-9A-Z]{16}\b/,
      /_authToken/,
    ];
    // Fixtures hold made-up keys, to be redacted.
    const faults = files
      .filter((path) => !path.includes('/fixtures/') && path !== 'test/boundaries.test.ts')
      .flatMap((path) =>
        secrets.filter((pattern) => pattern.test(read(path))).map((pattern) => `${path}: ${pattern}`),
      );
    expect(faults).toEqual([]);
  });
});
