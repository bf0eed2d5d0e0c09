import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesSource } from '@pchronicle/storyline-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bufferedText } from '../../src/io/buffered-text.ts';
import { fileTarget } from '../../src/io/file-target.ts';
import { rejectsFile } from '../../src/read/rejects.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pchronicle-targets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const options = { overwrite: false, shown: 'out' };

describe('a file target', () => {
  test('appears at commit, whole; before that only a hidden temporary file is there', async () => {
    const path = join(folder, 'out.json');
    const target = await fileTarget(path, options);
    await target.write('{"a":');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.out\.json\.[0-9a-f]{12}\.tmp$/)]);
    await target.write('1}');
    await target.commit();
    expect(readdirSync(folder)).toEqual(['out.json']);
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}');
    await target.abort();
    expect(readdirSync(folder)).toEqual(['out.json']);
  });

  test('leaves nothing after abort', async () => {
    const target = await fileTarget(join(folder, 'out.json'), options);
    await target.write('x'.repeat(200_000));
    await target.abort();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('does not replace a file that appeared meanwhile', async () => {
    const path = join(folder, 'out.json');
    const target = await fileTarget(path, options);
    await target.write('ours');
    writeFileSync(path, 'theirs');
    await expect(target.commit()).rejects.toMatchObject({ code: 'cli/output-exists', exit: 2 });
    await target.abort();
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  test.skipIf(process.platform === 'win32')(
    'with --overwrite keeps the mode, and a link stays a link',
    async () => {
      const real = join(folder, 'real.json');
      writeFileSync(real, 'old', { mode: 0o640 });
      symlinkSync('real.json', join(folder, 'link.json'));
      const target = await fileTarget(join(folder, 'link.json'), { ...options, overwrite: true });
      await target.write('new');
      await target.commit();
      expect(readFileSync(real, 'utf8')).toBe('new');
      expect(statSync(real).mode & 0o777).toBe(0o640);
      expect(readdirSync(folder).sort()).toEqual(['link.json', 'real.json']);
    },
  );

  test('a folder in its place is refused', async () => {
    mkdirSync(join(folder, 'out.json'));
    await expect(fileTarget(join(folder, 'out.json'), { ...options, overwrite: true })).rejects.toMatchObject(
      {
        code: 'cli/output-is-folder',
      },
    );
  });
});

test('a character whose two halves come in two pieces stays one character', async () => {
  const chunks: Uint8Array[] = [];
  const text = bufferedText(async (bytes) => {
    chunks.push(bytes);
  });
  await text.write(`${'a'.repeat(70_000)}\ud83d`);
  await text.write('\ude00b');
  await text.flush();
  expect(Buffer.concat(chunks).toString('utf8')).toBe(`${'a'.repeat(70_000)}😀b`);
});

describe('the rejects file', () => {
  const reject = async (text: string, ranges: readonly [number, number][]): Promise<string> => {
    const path = join(folder, 'rejects');
    const rejects = await rejectsFile(path, false);
    const source = bytesSource('x', text);
    for (const [start, end] of ranges) await rejects.add(source, [{ start, end }]);
    await rejects.commit();
    return readFileSync(path, 'utf8');
  };

  test('has the bytes as they were, each with the rest of its line', async () => {
    expect(
      await reject('{bad} \r\n{good}\n{worse}', [
        [0, 5],
        [15, 22],
      ]),
    ).toBe('{bad} \r\n{worse}');
  });

  test('neighbours in one line do not run into each other', async () => {
    expect(
      await reject('[{a},{b}]', [
        [1, 4],
        [5, 8],
      ]),
    ).toBe('{a}\n{b}');
  });

  test('a whole file is copied to the last byte, whatever the bytes', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x80, 0x0a, 0xc3]);
    const path = join(folder, 'rejects');
    const rejects = await rejectsFile(path, false);
    await rejects.add(bytesSource('x', bytes), [{ start: 0, end: 5 }]);
    await rejects.commit();
    expect(readFileSync(path)).toEqual(bytes);
  });

  test('without rejects there is no file', async () => {
    const rejects = await rejectsFile(join(folder, 'rejects'), false);
    await rejects.commit();
    expect(readdirSync(folder)).toEqual([]);
  });
});
