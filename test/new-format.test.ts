import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesIn } from './support/files-in.ts';
import { runProgram } from './support/scratch.ts';
import { root } from './support/workspace.ts';

const script = join(root, 'scripts/new-format.mjs');
const require = createRequire(import.meta.url);

describe('pnpm new-format my-chat', () => {
  let folder = '';
  let made = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pchronicle-new-format-'));
    runProgram(process.execPath, [script, 'my-chat', '--into', join(folder, 'packages')], root);
    made = join(folder, 'packages/format-my-chat');
    // A copy outside the workspace, with what the workspace would give it.
    symlinkSync(join(root, 'packages/storyline-core'), join(folder, 'packages/storyline-core'));
    symlinkSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    mkdirSync(join(made, 'node_modules'));
    symlinkSync(
      join(root, 'templates/format/node_modules/@pchronicle'),
      join(made, 'node_modules/@pchronicle'),
    );
    for (const name of ['vitest', 'fast-check'])
      symlinkSync(join(root, 'node_modules', name), join(made, 'node_modules', name));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('copies every file of the template, and leaves no word of it', () => {
    const template = filesIn(join(root, 'templates/format'));
    expect(filesIn(made)).toEqual(template);
    expect(template.length).toBeGreaterThan(15);
    const leftOver = filesIn(made).filter((path) =>
      /example(?!s)/i.test(readFileSync(join(made, path), 'utf8')),
    );
    expect(leftOver).toEqual([]);
  });

  test('names the package, its functions and its codes after the format', () => {
    const manifest = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as {
      name: string;
      private?: boolean;
    };
    expect(manifest.name).toBe('@pchronicle/format-my-chat');
    expect(manifest.private).toBeUndefined();
    expect(readFileSync(join(made, 'src/index.ts'), 'utf8')).toMatch(/export function importMyChat\(/);
    expect(readFileSync(join(made, 'src/format.ts'), 'utf8')).toMatch(
      /export const myChat = \{\n {2}id: 'my-chat'/,
    );
    expect(readFileSync(join(made, 'src/decode.ts'), 'utf8')).toMatch(/'my-chat\/bad-id'/);
  });

  test('compiles, and its tests are green', () => {
    runProgram(
      process.execPath,
      [join(dirname(require.resolve('typescript/package.json')), 'bin/tsc'), '-p', made, '--noEmit'],
      made,
    );
    const config = `export default { resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] }, ssr: { resolve: { conditions: ['@pchronicle/source', 'node', 'import', 'default'] } }, test: { include: ['test/**/*.test.ts'] } };`;
    writeFileSync(join(made, 'vitest.config.mjs'), config);
    const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
    const printed = runProgram(process.execPath, [vitest, 'run', '--root', made, '--reporter=json'], made);
    const report = JSON.parse(printed.slice(printed.indexOf('{'))) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    expect(report.numFailedTests).toBe(0);
    expect(report.numPassedTests).toBeGreaterThan(20);
  });

  test('refuses a name that is none, and a folder that exists', () => {
    for (const name of ['', 'My_Format', '../escape', '-x']) {
      expect(() =>
        runProgram(process.execPath, [script, name, '--into', join(folder, 'other')], root),
      ).toThrow(/ended with [12]/);
    }
    expect(existsSync(join(folder, 'other'))).toBe(false);
    expect(() =>
      runProgram(process.execPath, [script, 'my-chat', '--into', join(folder, 'packages')], root),
    ).toThrow(/exists already/);
  });
});
