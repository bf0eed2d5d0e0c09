import { describe, expect, test } from 'vitest';
import { testFiles, titlesOf } from './support/test-titles.ts';
import { packages, started } from './support/workspace.ts';

/** The rows of the project's decisions, by family, with the packages that they are about. */
const families = [
  { family: 'G', rows: 20, about: ['storyline-core'] },
  { family: 'A', rows: 19, about: ['format-actf'] },
  { family: 'O', rows: 17, about: ['format-openai-msg'] },
  { family: 'F', rows: 7, about: ['format-forkline'] },
  { family: 'K', rows: 7, about: ['format-ankole'] },
];

const numbers = /\b([GAOFK])([1-9]\d?)\b/g;

/** Decision number → test files with a title that carries it. */
const carriers = new Map<string, Set<string>>();
for (const file of testFiles) {
  for (const { text } of titlesOf(file)) {
    for (const [number] of text.matchAll(numbers)) {
      carriers.set(number, (carriers.get(number) ?? new Set()).add(file));
    }
  }
}

for (const { family, rows, about } of families) {
  const waits = !packages.some((one) => about.includes(one.short) && started(one));
  describe.skipIf(waits)(`decisions of family ${family}`, () => {
    test.each(Array.from({ length: rows }, (_, index) => `${family}${index + 1}`))(
      '%s has a test that carries its number',
      (number) => {
        expect([...(carriers.get(number) ?? [])]).not.toEqual([]);
      },
    );
  });
}

test('a number counts only in the title of a test that runs', () => {
  const text = `
    // G1
    test.skip('G2 not run', () => {});
    test.each([1])('G3 %s', () => {});
    describe(\`G4 and \${x} G5\`, () => {});
    const name = 'G6';`;
  const found = titlesOf('example.test.ts', text).flatMap((title) =>
    [...title.text.matchAll(numbers)].map(([number]) => number),
  );
  expect(found).toEqual(['G3', 'G4', 'G5']);
});

test('no test names a decision that does not exist', () => {
  const known = new Set(
    families.flatMap(({ family, rows }) =>
      Array.from({ length: rows }, (_, index) => `${family}${index + 1}`),
    ),
  );
  const strange = [...carriers]
    .filter(([number]) => !known.has(number))
    .map(([number, files]) => `${number} in ${[...files]}`);
  expect(strange).toEqual([]);
});
