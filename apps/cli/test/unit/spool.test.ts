import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, JsonNumber, type Storyline, stringify } from '@pchronicle/storyline-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSpoolFile } from '../../src/io/spool-file.ts';
import { createStorySpool } from '../../src/io/story-spool.ts';
import { storylineDocument, turn } from '../support/documents.ts';

// The spool makes its folder under TMPDIR: here one of our own, so that what it leaves is seen.
let temporary = '';
const before = process.env.TMPDIR;
beforeEach(() => {
  temporary = mkdtempSync(join(before ?? tmpdir(), 'pchronicle-spool-test-'));
  mkdirSync(temporary, { recursive: true });
  process.env.TMPDIR = temporary;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(temporary, { recursive: true, force: true });
});

const story = (session: string, turns: number, more: object = {}): Storyline =>
  storylineDocument(
    session,
    Array.from({ length: turns }, (_, index) => turn(index + 1)),
    more as Record<string, unknown>,
  ) as unknown as Storyline;

const hostile = {
  extra: {
    ['__proto__']: 1,
    big: new JsonNumber('1e400'),
    float: new JsonNumber('1.0'),
    notANumber: new JsonNumber('NaN'),
    minusZero: -0,
    lone: '\ud800',
    pair: '😀'.repeat(100),
    nul: '\u0000',
  },
};

test.each([
  ['in memory', 1 << 20],
  ['in a file', 10],
])('Storylines come back exactly, %s', async (_, memory) => {
  const spool = createStorySpool(memory);
  const stories = [story('a', 3, hostile), story('b', 0), story('c', 2_000)];
  for (const one of stories) spool.add(one);
  expect(spool.count).toBe(3);
  for (const [index, one] of stories.entries()) {
    const { turns, ...head } = await spool.read(index);
    expect(stringify({ ...head, turns } as unknown as Json)).toBe(
      stringify({
        ...Object.fromEntries(Object.entries(one).filter(([key]) => key !== 'turns')),
        turns: one.turns,
      } as unknown as Json),
    );
  }
  const sessions: string[] = [];
  for await (const head of spool.heads()) {
    expect('turns' in head).toBe(false);
    sessions.push(head.session);
  }
  expect(sessions).toEqual(['a', 'b', 'c']);
  expect(readdirSync(temporary).length).toBe(memory === 10 ? 1 : 0);
  spool.close();
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([1 << 20, 500])(
  'a rejected document leaves nothing in the spool (%d bytes in memory)',
  async (memory) => {
    const spool = createStorySpool(memory);
    spool.mark();
    spool.add(story('kept', 2));
    spool.mark();
    spool.add(story('bad-1', 50));
    spool.add(story('bad-2', 50));
    spool.rollback();
    spool.add(story('after', 3));
    expect(spool.count).toBe(2);
    expect((await spool.read(0)).session).toBe('kept');
    expect((await spool.read(1)).turns.length).toBe(3);
    spool.mark();
    spool.rollback();
    expect(spool.count).toBe(2);
    spool.close();
  },
);

test('a spool file is private', () => {
  const file = createSpoolFile(4);
  file.append(Buffer.from('more than four'));
  const [name] = readdirSync(temporary);
  expect(name).toMatch(/^pchronicle-/);
  expect(Buffer.from(file.read(5, 9)).toString()).toBe('than');
  file.close();
  expect(existsSync(join(temporary, name ?? ''))).toBe(false);
});
