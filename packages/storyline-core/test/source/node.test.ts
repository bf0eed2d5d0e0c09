import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { importStorylines } from '../../src/import/import.ts';
import { openFile, spool } from '../../src/node.ts';
import { readAhead } from '../../src/source/read-ahead.ts';
import { DOCUMENTS, testFormat } from '../import/formats.ts';

const folder = mkdtempSync(join(tmpdir(), 'pchronicle-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
describe('openFile', () => {
  test('reads by position, both ways, and does not see what is appended later', async () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, '0123456789');
    const source = await openFile(path, 'shown');
    appendFileSync(path, 'more');
    expect([source.name, source.path, source.size]).toStrictEqual(['shown', path, 10]);
    for (const read of [source.read, source.readSync]) {
      const target = new Uint8Array(4);
      expect(await read(target, 3)).toBe(4);
      expect(new TextDecoder().decode(target)).toBe('3456');
      expect(await read(target, 8)).toBeGreaterThanOrEqual(2);
    }
    await source.close();
  });
  test.skipIf(process.platform === 'win32')(
    'a named pipe that nobody writes to is refused at once',
    async () => {
      const path = join(folder, 'pipe');
      execFileSync('mkfifo', [path]);
      await expect(openFile(path)).rejects.toMatchObject({ code: 'EINVAL', syscall: 'open' });
    },
  );
  test('a folder and a missing file are errors of the file system', async () => {
    await expect(openFile(folder)).rejects.toMatchObject({ code: 'EINVAL', syscall: 'open' });
    await expect(openFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
  test('a big file is imported', async () => {
    const path = join(folder, 'big.jsonl');
    writeFileSync(
      path,
      Array.from({ length: 3000 }, (_, index) => `{"n":${index},"x":"${'y'.repeat(1000)}"}`).join('\n'),
    );
    const source = await openFile(path);
    let count = 0;
    for await (const event of importStorylines(source, testFormat(DOCUMENTS)))
      count += event.type === 'storyline' ? 1 : 0;
    await source.close();
    expect(count).toBe(3000);
  });
});

// The spool makes its folder under TMPDIR: here one of our own, since other tests spool at the same time.
describe('spool', () => {
  const temporary = join(folder, 'temporary');
  const spools = () => readdirSync(temporary);
  beforeEach(() => {
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
  });

  test('copies a stream to a private file that goes with the source', async () => {
    const source = await spool(Readable.from([Buffer.from('{"a":'), Buffer.from('1}')]), '-');
    const made = spools();
    expect(made.length).toBe(1);
    const path = join(temporary, made[0] as string);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'input')).mode & 0o777).toBe(0o600);
    const target = new Uint8Array(7);
    expect(source.readSync(target, 0)).toBe(7);
    expect([source.name, source.path, new TextDecoder().decode(target)]).toStrictEqual([
      '-',
      undefined,
      '{"a":1}',
    ]);
    await source.close();
    expect(spools()).toStrictEqual([]);
  });
  test('leaves nothing when the stream breaks', async () => {
    let during: readonly string[] = [];
    const broken = async function* () {
      yield Buffer.from('{');
      during = spools();
      throw new Error('cut');
    };
    await expect(spool(broken(), '-')).rejects.toThrow('cut');
    expect(during.length).toBe(1);
    expect(spools()).toStrictEqual([]);
  });
});

describe('readAhead', () => {
  const size = 5_000_000;
  const byteAt = (position: number) => (position * 31 + (position >> 8)) & 0xff;
  const slow = async (target: Uint8Array, position: number) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const length = Math.min(target.length, Math.max(0, size - position));
    for (let index = 0; index < length; index += 1) target[index] = byteAt(position + index);
    return length;
  };
  const check = async (read: typeof slow, position: number, length: number) => {
    const target = new Uint8Array(length);
    const count = await read(target, position);
    expect(count > 0 || position >= size).toBe(true);
    for (let index = 0; index < count; index += 997) expect(target[index]).toBe(byteAt(position + index));
    return count;
  };
  test('in sequence, with jumps, big reads and new sequences', async () => {
    const read = readAhead(slow, size);
    for (let position = 0; position < size; ) position += await check(read, position, 262_144);
    expect(await check(read, size, 100)).toBe(0);
    await check(read, 3_000_000, 2_000_000);
    for (let position = 100; position < 3_000_000; ) position += await check(read, position, 300_001);
    for (const position of [4_999_999, 0, 1_048_576, 7, 1_048_583, 2_000_000])
      await check(read, position, 65_536);
  });
  test('calls at the same time do not disturb each other', async () => {
    const read = readAhead(slow, size);
    await Promise.all(
      [0, 262_144, 4_000_000, 524_288, 4_262_144, 786_432].map((position) => check(read, position, 262_144)),
    );
  });
  test('a failure reaches the read that needs the bytes, and only that', async () => {
    const failing = async (target: Uint8Array, position: number) => {
      if (position >= 1_048_576) throw new Error('bad block');
      return slow(target, position);
    };
    const read = readAhead(failing, size);
    for (let position = 0; position < 1_048_576; ) position += await check(read, position, 262_144);
    await expect(read(new Uint8Array(10), 1_048_576)).rejects.toThrow('bad block');
    await check(read, 0, 1000);
  });
});
