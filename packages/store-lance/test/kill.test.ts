import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storyline } from '@pchronicle/storyline-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { temporaryFolder } from './helpers.ts';

const child = fileURLToPath(new URL('./child-import.mjs', import.meta.url));
const built = fileURLToPath(new URL('../dist/index.js', import.meta.url));

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function run(...args: (string | number)[]): Promise<Ended> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, [child, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    started.stdout.on('data', (chunk) => {
      output += chunk;
    });
    started.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    started.on('close', (code, signal) => resolve({ code, signal, output, errors }));
  });
}

/** Document number → markers of its Storylines, by what the store really gives back. */
async function read(store: Store): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const seen = new Set<string>();
  for await (const { storyline } of store.storylines()) {
    expect(seen.has(storyline.session), `${storyline.session} is there twice`).toBe(false);
    seen.add(storyline.session);
    const [number = ''] = storyline.session.split('-');
    found.set(number, [...(found.get(number) ?? []), markerOf(storyline)]);
  }
  return found;
}

function markerOf(storyline: Storyline): string {
  const markers = new Set(storyline.turns.map((turn) => String(turn.msg).split(' ').at(-1)));
  expect(markers.size).toBe(1);
  return [...markers][0] ?? '';
}

const DOCUMENTS = 12;

/** Every document whole, of one version or the other; the store verifies; importing again completes it. */
async function check(uri: string, source: string, before: number, acknowledged: number): Promise<number> {
  const store = await openStore(uri);
  const found = await read(store);
  let fresh = 0;
  for (let number = 0; number < DOCUMENTS; number += 1) {
    const markers = found.get(String(number)) ?? [];
    if (markers.length === 0) {
      expect(number).toBeGreaterThanOrEqual(before);
      continue;
    }
    expect(markers).toHaveLength(2);
    expect(new Set(markers).size, `document ${number} is half old, half new`).toBe(1);
    expect(['old', 'new']).toContain(markers[0]);
    if (number >= before) expect(markers[0]).toBe('new');
    if (markers[0] === 'new') fresh += 1;
  }
  expect(fresh).toBeGreaterThanOrEqual(acknowledged);
  expect((await store.verify()).faults).toEqual([]);
  await store.close();
  const again = await run(uri, source, 0, DOCUMENTS, 'new');
  expect(again.errors).toBe('');
  expect(again.code).toBe(0);
  const after = await openStore(uri);
  const complete = await read(after);
  for (let number = 0; number < DOCUMENTS; number += 1)
    expect(complete.get(String(number))).toEqual(['new', 'new']);
  const report = await after.verify();
  expect(report).toMatchObject({ documents: DOCUMENTS * 2, faults: [] });
  await after.close();
  return fresh;
}

describe('kill -9 (store.md, Commit protocol)', () => {
  beforeAll(() => {
    if (!existsSync(built))
      throw new Error('these tests start processes that run dist/: build the package first');
  });

  const kills: [hook: string, occurrence: number, delay: number][] = [
    ['tool_calls', 1, 0],
    ['steps', 1, 0],
    ['steps', 2, 0],
    ['commit', 1, 0],
    ['commit', 3, 0],
    ['inside-commit', 1, 0],
    ['inside-commit', 2, 0],
    ['inside-commit', 3, 0],
    ['committed', 1, 0],
    ['committed', 2, 0],
  ];
  test.each(kills)(
    'killed at %s (occurrence %i): each trajectory is there exactly once or not at all',
    async (hook, occurrence, delay) => {
      const uri = join(temporaryFolder(), 'store');
      // Half of the documents are there in an old version, the rest is new.
      expect((await run(uri, 'source', 0, DOCUMENTS / 2, 'old')).code).toBe(0);
      const killed = await run(uri, 'source', 0, DOCUMENTS, 'new', hook, occurrence, delay);
      expect(killed.signal).toBe('SIGKILL');
      const acknowledged = killed.output.split('committed').length - 1;
      const fresh = await check(uri, 'source', DOCUMENTS / 2, acknowledged * 4);
      // What the place of the kill says about the outcome, batches being of four documents.
      if (hook === 'tool_calls' || hook === 'steps' || hook === 'commit')
        expect(fresh).toBe((occurrence - 1) * 4);
      if (hook === 'committed') expect(fresh).toBe(occurrence * 4);
      if (hook === 'inside-commit') expect([(occurrence - 1) * 4, occurrence * 4]).toContain(fresh);
    },
  );

  test('killed at random times, again and again, on one store', async () => {
    const seed = Number(process.env.PCHRONICLE_SEED ?? Date.now() % 100_000);
    let state = seed;
    const uri = join(temporaryFolder(), 'store');
    expect((await run(uri, 'source', 0, DOCUMENTS / 2, 'old')).code).toBe(0);
    let dead = 0;
    for (let round = 0; round < 8; round += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const killed = await run(
        uri,
        'source',
        0,
        DOCUMENTS,
        round % 2 === 0 ? 'new' : 'old',
        'time',
        1,
        150 + (state % 500),
      );
      if (killed.signal === 'SIGKILL') dead += 1;
      const store = await openStore(uri);
      expect((await store.verify()).faults, `seed ${seed}, round ${round}`).toEqual([]);
      for (const markers of (await read(store)).values())
        expect(markers, `seed ${seed}`).toSatisfy(
          (pair: string[]) => pair.length === 2 && pair[0] === pair[1],
        );
      await store.close();
    }
    expect(dead, `seed ${seed}`).toBeGreaterThan(0);
    expect((await run(uri, 'source', 0, DOCUMENTS, 'new')).code).toBe(0);
    const store = await openStore(uri);
    expect([...(await read(store)).values()].flat().filter((marker) => marker !== 'new')).toEqual([]);
    await store.close();
  });
});

describe('two importing processes', () => {
  test('the same file: each trajectory exactly once', async () => {
    const uri = join(temporaryFolder(), 'store');
    const ended = await Promise.all([1, 2].map(() => run(uri, 'source', 0, DOCUMENTS, 'new')));
    for (const { code, errors } of ended) expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const store = await openStore(uri);
    expect((await read(store)).size).toBe(DOCUMENTS);
    expect(await store.verify()).toMatchObject({ documents: DOCUMENTS * 2, faults: [] });
    await store.close();
    const again = await run(uri, 'source', 0, DOCUMENTS, 'new');
    expect(again.output).toContain('"new":0,"replaced":0,"unchanged":24');
  });

  test('disjoint files, and one of the two killed inside a commit', async () => {
    const uri = join(temporaryFolder(), 'store');
    const [one, two] = await Promise.all([
      run(uri, 'one', 0, DOCUMENTS, 'new'),
      run(uri, 'two', 0, DOCUMENTS, 'new', 'inside-commit', 2),
    ]);
    expect(one?.code).toBe(0);
    expect(two?.signal).toBe('SIGKILL');
    expect((await run(uri, 'two', 0, DOCUMENTS, 'new')).code).toBe(0);
    const store = await openStore(uri);
    expect(await store.verify()).toMatchObject({ documents: DOCUMENTS * 4, faults: [] });
    const runs: string[] = [];
    for await (const listed of store.list()) runs.push(`${listed.sourceId} ${listed.documentId}`);
    expect(new Set(runs).size).toBe(DOCUMENTS * 4);
    expect(runs).toHaveLength(DOCUMENTS * 4);
    await store.close();
  });
});
