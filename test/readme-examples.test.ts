import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examplesIn, runExample } from './support/readme-examples.ts';
import { filesUnder, libraries, packages, read, root, started } from './support/workspace.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md'].filter((path) => existsSync(join(root, path))),
  ...filesUnder(join(root, 'docs')).filter((path) => path.endsWith('.md')),
  ...packages.map((one) => `${one.path}/README.md`).filter((path) => existsSync(join(root, path))),
];
const examples = documents.flatMap(examplesIn);

describe.skipIf(examples.length === 0)('examples in the documents', () => {
  test.each(examples)('$document line $line runs and prints what it says', async (example) => {
    expect(
      example.output !== undefined || /\bassert\b/.test(example.code),
      'an example prints what a ```text block shows, or asserts',
    ).toBe(true);
    const { status, stdout, stderr } = await runExample(example);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    if (example.output !== undefined) expect(stdout.trimEnd()).toBe(example.output.trimEnd());
  });
});

test.each(libraries.filter(started))('$name has a README with a runnable example', ({ path }) => {
  expect(examples.filter((example) => example.document === `${path}/README.md`)).not.toEqual([]);
});

test.each(packages.filter((one) => one.short.startsWith('format-') && started(one)))(
  '$name has a MAPPING.md with its closed list of normalisations',
  ({ path }) => {
    expect(read(`${path}/MAPPING.md`)).toMatch(/^#+ Normalisations$/m);
  },
);

test.each(packages)('every relative link in the documents of $name leads to a file', ({ path, folder }) => {
  const missing = filesUnder(folder)
    .filter((file) => file.endsWith('.md') && !file.includes('/fixtures/'))
    .flatMap((file) => brokenLinks(file).map((link) => `${file}: ${link}`));
  expect(missing).toEqual([]);
  expect(path).not.toBe('');
});

test('every relative link in the documents of the repository leads to a file', () => {
  const documentsOfTheRepository = documents.filter(
    (file) => !file.startsWith('packages/') && !file.startsWith('apps/'),
  );
  expect(
    documentsOfTheRepository.flatMap((file) => brokenLinks(file).map((link) => `${file}: ${link}`)),
  ).toEqual([]);
});

/** Targets of Markdown links that are neither URLs nor anchors and do not exist. */
function brokenLinks(file: string): readonly string[] {
  const prose = read(file)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .filter((target) => !existsSync(join(root, file, '..', target.split('#')[0] ?? '')));
}
